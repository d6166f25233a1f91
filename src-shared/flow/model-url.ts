import { type HostedName, ollamaDefault, providerOf, providers, urlForms } from './providers.ts';

/** A parsed model URL. `service` is an entry of `providers` in the settings; `path` is relative to the workspace. */
export type ModelUrl =
  | { readonly provider: HostedName; readonly model: string }
  | { readonly provider: 'ollama'; readonly host: string; readonly port: number; readonly model: string }
  | { readonly provider: 'genai'; readonly service: string; readonly model: string }
  | { readonly provider: 'llama' | 'script'; readonly path: string };

export type ParsedModelUrl = { readonly ok: true; readonly model: ModelUrl } | { readonly ok: false; readonly message: string };

/** Parses a model URL. An error message lists the valid forms and never repeats text that may be a key. */
export function parseModelUrl(url: string): ParsedModelUrl {
  const match = /^([a-z]+):\/\/(.*)$/s.exec(url);
  if (!match) return refuse(`Invalid model URL. Use ${urlForms}.`);
  const [, scheme = '', rest = ''] = match;
  const provider = providerOf(scheme);
  if (/[\s\p{Cc}]/u.test(rest) && !(provider && providers[provider].form === 'file'))
    return refuse(`A model URL must not contain spaces. Use ${urlForms}.`);
  switch (provider) {
    case undefined:
      return refuse(`Unknown provider ${scheme}://. Use ${urlForms}.`);
    case 'ollama':
      return ollama(rest);
    case 'genai':
      return genai(rest);
    case 'llama':
      return file('llama', rest, '.gguf');
    case 'script':
      return file('script', rest, '.json');
    default:
      return hosted(provider, rest);
  }
}

function refuse(message: string): ParsedModelUrl {
  return { ok: false, message };
}

function keyInside(scheme: string): ParsedModelUrl {
  return refuse(
    `The model URL ${scheme}://… contains a key. A flow must not contain keys. Store the key in the key chain (Settings), the environment or the workspace's .env, and write ${scheme}://MODEL here.`,
  );
}

const looksLikeKey = (text: string) => text.includes('@') || /[?&;#](?:api[_-]?)?(?:key|token)=/i.test(text) || /^sk-[\w-]{16,}/.test(text);

function hosted(provider: HostedName, rest: string): ParsedModelUrl {
  if (looksLikeKey(rest)) return keyInside(provider);
  if (rest === '') return refuse(`The model is missing. Use ${provider}://MODEL.`);
  if (/[?#]/.test(rest)) return refuse(`A model URL must end with the model's name. Use ${provider}://MODEL.`);
  return { ok: true, model: { provider, model: rest } };
}

function ollama(rest: string): ParsedModelUrl {
  const slash = rest.indexOf('/');
  const address = slash < 0 ? rest : rest.slice(0, slash);
  const model = slash < 0 ? '' : rest.slice(slash + 1);
  if (looksLikeKey(address)) return keyInside('ollama');
  const parts = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(address);
  const port = parts?.[2] === undefined ? ollamaDefault.port : Number(parts[2]);
  if (!parts?.[1] || model === '' || port < 1 || port > 65535) return refuse('Invalid Ollama model. Use ollama://HOST:PORT/MODEL.');
  return { ok: true, model: { provider: 'ollama', host: parts[1], port, model } };
}

function genai(rest: string): ParsedModelUrl {
  const slash = rest.indexOf('/');
  const service = slash < 0 ? rest : rest.slice(0, slash);
  const model = slash < 0 ? '' : rest.slice(slash + 1);
  if (looksLikeKey(service)) return keyInside('genai');
  if (!/^[A-Za-z0-9._-]+$/.test(service) || model === '') return refuse('Invalid model of a custom provider. Use genai://PROVIDER/MODEL.');
  return { ok: true, model: { provider: 'genai', service, model } };
}

function file(provider: 'llama' | 'script', path: string, ending: string): ParsedModelUrl {
  if (!path.toLowerCase().endsWith(ending))
    return refuse(`Invalid model file. Use ${provider}:// with the path of a ${ending} file, relative to the workspace.`);
  return { ok: true, model: { provider, path } };
}
