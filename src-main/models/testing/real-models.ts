import { skipUnless } from '#main/testing/skip-unless.ts';

/** Files for tests with real models, found by vitest.config.ts and provisioned by scripts/test-parts.mjs. Null if missing. */
export const realParts = {
  /** A small language model, as a GGUF file. */
  local_model: process.env.PRAVAH_TEST_LOCAL_MODEL || null,
  /** The Ollama server executable. */
  ollama_server: process.env.PRAVAH_TEST_OLLAMA_SERVER || null,
} as const;

/** Whether tests with a part must be skipped because it is missing, which is logged in one line. */
export function skipWithout(part: keyof typeof realParts): boolean {
  return skipUnless(realParts[part] !== null, `tests with ${names[part]}`, 'it is not provisioned (node scripts/test-parts.mjs does)');
}

const names = { local_model: 'a local language model', ollama_server: 'an Ollama server' } as const;
