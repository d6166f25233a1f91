import { skipUnless } from '#main/testing/skip-unless.ts';

/** Parts that tests with real models need: found by vitest.config.ts, brought by scripts/test-parts.mjs. Null where there are none. */
export const realParts = {
  /** A small language model, as a GGUF file. */
  local_model: process.env.PRAVAH_TEST_LOCAL_MODEL || null,
  /** The program of an Ollama server. */
  ollama_server: process.env.PRAVAH_TEST_OLLAMA_SERVER || null,
} as const;

/** Returns whether tests with a part must be skipped because it is missing. If so, notes it in one line. */
export function skipWithout(part: keyof typeof realParts): boolean {
  return skipUnless(realParts[part] !== null, `tests with ${names[part]}`, 'it is not provisioned (node scripts/test-parts.mjs does)');
}

const names = { local_model: 'a local language model', ollama_server: 'an Ollama server' } as const;
