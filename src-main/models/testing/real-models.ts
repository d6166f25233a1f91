/** Parts that tests with real models need: found by vitest.config.ts, brought by scripts/test-parts.mjs. Null where there are none. */
export const realParts = {
  /** A small language model, as a GGUF file. */
  local_model: process.env.PRAVAH_TEST_LOCAL_MODEL || null,
  /** The program of an Ollama server. */
  ollama_server: process.env.PRAVAH_TEST_OLLAMA_SERVER || null,
} as const;

/** Says in one line why tests are skipped, where they are. */
export function orSkip(part: string | null, what: string): { readonly skip: boolean } {
  if (part === null) console.log(`Skipped: ${what} has not been provisioned (node scripts/test-parts.mjs does).`);
  return { skip: part === null };
}
