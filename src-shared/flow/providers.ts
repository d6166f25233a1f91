/** A provider of `SCHEME://MODEL`: an endpoint of a vendor that needs a key. */
export interface HostedProvider {
  readonly form: 'hosted';
  readonly label: string;
  /** Other schemes that mean this provider. */
  readonly aliases: readonly string[];
  /** Environment variable with the key. */
  readonly key: string;
  /** Environment variable that replaces the address. */
  readonly base_url: string;
  readonly default_url: string;
}

/** A provider with a URL form of its own, which `model-url.ts` parses. */
interface OtherProvider {
  readonly form: 'server' | 'service' | 'file';
  readonly label: string;
  /** What follows `SCHEME://`, as error messages show it. */
  readonly rest: string;
  /** What a model field offers after `SCHEME://` before the providers are loaded. */
  readonly start: string;
}

type ProviderFacts = HostedProvider | OtherProvider;

/** Ollama's default address. */
export const ollamaDefault = { host: '127.0.0.1', port: 11434 } as const;

/** A row for each provider, by the scheme of its model URLs, in the order in which they are listed. */
const rows = {
  openai: {
    form: 'hosted',
    label: 'OpenAI',
    aliases: [],
    key: 'OPENAI_API_KEY',
    base_url: 'OPENAI_BASE_URL',
    default_url: 'https://api.openai.com/v1',
  },
  anthropic: {
    form: 'hosted',
    label: 'Anthropic',
    aliases: ['claude'],
    key: 'ANTHROPIC_API_KEY',
    base_url: 'ANTHROPIC_BASE_URL',
    default_url: 'https://api.anthropic.com',
  },
  gemini: {
    form: 'hosted',
    label: 'Google Gemini',
    aliases: [],
    key: 'GEMINI_API_KEY',
    base_url: 'GOOGLE_GEMINI_BASE_URL',
    default_url: 'https://generativelanguage.googleapis.com',
  },
  ollama: { form: 'server', label: 'Ollama', rest: 'HOST:PORT/MODEL', start: `${ollamaDefault.host}:${ollamaDefault.port}/` },
  genai: { form: 'service', label: 'OpenAI-compatible service', rest: 'PROVIDER/MODEL', start: '' },
  llama: { form: 'file', label: 'Model files, run here by llama.cpp', rest: 'PATH.gguf', start: '' },
  script: { form: 'file', label: 'Recorded answers', rest: 'PATH.json', start: '' },
} as const satisfies Readonly<Record<string, ProviderFacts>>;

type Rows = typeof rows;
type ProviderName = keyof Rows;
/** The providers of `SCHEME://MODEL`. */
export type HostedName = { [Name in ProviderName]: Rows[Name]['form'] extends 'hosted' ? Name : never }[ProviderName];

export const providers: Readonly<Record<ProviderName, ProviderFacts>> & Readonly<Record<HostedName, HostedProvider>> = rows;

const names = Object.keys(rows) as ProviderName[];

export const hostedNames: readonly HostedName[] = names.filter(isHosted);

export function isHosted(name: string): name is HostedName {
  return Object.hasOwn(rows, name) && rows[name as ProviderName].form === 'hosted';
}

/** The provider of a scheme or an alias; undefined: unknown. */
export function providerOf(scheme: string): ProviderName | undefined {
  return names.find((name) => name === scheme || (isHosted(name) && providers[name].aliases.includes(scheme)));
}

/** The form of a provider's model URLs, such as `openai://MODEL`. */
function urlForm(name: ProviderName): string {
  const facts: ProviderFacts = rows[name];
  return `${name}://${facts.form === 'hosted' ? 'MODEL' : facts.rest}`;
}

/** The forms of all model URLs, in words. */
export const urlForms = names
  .map(urlForm)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

/** Beginnings of the URLs of all providers. */
export const urlBeginnings: readonly string[] = names.map((name) => {
  const facts: ProviderFacts = rows[name];
  return `${name}://${facts.form === 'hosted' ? '' : facts.start}`;
});

/** What a provider is called on screen; a service of `genai://` has its own name. */
export function providerLabel(id: string): string {
  return Object.hasOwn(rows, id) ? rows[id as ProviderName].label : id;
}
