/** Vendors by what other tools call them, and their scheme here. */
const schemes: readonly (readonly [RegExp, string])[] = [
  [/azure/i, 'genai://azure'],
  [/openrouter/i, 'genai://openrouter'],
  [/openai|lmChatOpenAi/i, 'openai:/'],
  [/anthropic|claude/i, 'anthropic:/'],
  [/gemini|google|palm|vertex/i, 'gemini:/'],
  [/ollama/i, 'ollama://127.0.0.1:11434'],
];

/**
 * The model URL of a vendor's model. `known`: whether it works without more than a key; else a service of that name must be set up (`genai://NAME/…`).
 */
export function vendorModel(vendor: string, model: string): { readonly url: string; readonly known: boolean } {
  const found = schemes.find(([pattern]) => pattern.test(vendor));
  if (found) return { url: `${found[1]}/${model}`, known: !found[1].startsWith('genai') };
  const service =
    vendor
      .split('/')
      .at(-1)
      ?.replace(/(Model|Component)+$/, '')
      .replace(/[^A-Za-z0-9._-]/g, '')
      .toLowerCase() || 'service';
  return { url: `genai://${service}/${model}`, known: false };
}

/** What a model of a service that is not built in needs. */
export function serviceNeeded(title: string, url: string): string {
  const service = url.split('/')[2] ?? '';
  return `“${title}” uses ${url}. Add the service "${service}" in Settings → Models (or pravah models service ${service} ADDRESS), or choose another model.`;
}
