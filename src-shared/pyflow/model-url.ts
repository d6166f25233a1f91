/** PyFlow's model string as a model URL. `guessed`: PyFlow would look it up in ADK's registry. */
export function modelUrl(model: string): { readonly url: string; readonly guessed: boolean } {
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(model)) return { url: model, guessed: false };
  const vendor = /^(anthropic|openai)\/(.+)$/s.exec(model);
  if (vendor) return { url: `${vendor[1]}://${vendor[2]}`, guessed: false };
  return { url: `gemini://${model}`, guessed: !model.startsWith('gemini-') };
}
