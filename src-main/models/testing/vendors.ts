import type { Variables } from '#main/models/endpoint.ts';
import { anthropicRules, chatRules, geminiRules, ollamaRules, openAiRules, type VendorRules } from './vendor-rules.ts';
import type { VendorServer } from './vendor-server.ts';

/** A key that must appear nowhere except in a header. */
export const testKey = 'test-key-that-must-not-leak-0123456789';

/** A provider at a test server. */
export interface TestedVendor {
  readonly name: string;
  readonly rules: VendorRules;
  /** The model URL. */
  readonly url: (server: VendorServer) => string;
  readonly environment?: (server: VendorServer) => Variables;
  /** Whether a key is sent. */
  readonly keyed: boolean;
  /** Whether optional properties are sent as required ones that may be null. */
  readonly strict: boolean;
}

export const testedVendors: readonly TestedVendor[] = [
  {
    name: 'openai',
    rules: openAiRules,
    url: () => 'openai://gpt-4o',
    environment: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: testKey }),
    keyed: true,
    strict: true,
  },
  {
    name: 'anthropic',
    rules: anthropicRules,
    url: () => 'anthropic://claude-sonnet-5-5',
    environment: ({ url }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: testKey }),
    keyed: true,
    strict: false,
  },
  {
    name: 'gemini',
    rules: geminiRules,
    url: () => 'gemini://gemini-2.5-flash',
    environment: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: testKey }),
    keyed: true,
    strict: false,
  },
  { name: 'ollama', rules: ollamaRules, url: ({ port }) => `ollama://127.0.0.1:${port}/llama3.2`, keyed: false, strict: false },
  { name: 'genai', rules: chatRules, url: () => 'genai://house/some/model', keyed: true, strict: true },
];
