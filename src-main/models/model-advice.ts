/**
 * Advice in errors about models. The studio and the command line name their settings and commands; a program gets the relevant option of
 * `createContext`.
 */
export interface ModelAdvice {
  /** A vendor's key is missing. `trusted`: the workspace's `.env` is read. */
  vendorKey(provider: string, variable: string, trusted: boolean): string;
  /** A key for an address that the workspace chose is missing. */
  workspaceKey(variable: string): string;
  /** The stored key is for another address. */
  otherAddress(endpoint: string): string;
  /** A service's key is missing. */
  serviceKey(variable: string, base_url: string): string;
  /** A service has no entry. */
  noService(name: string): string;
  /** The folder defines a service without being trusted. */
  folderService(): string;
  /** Ollama runs on another machine. */
  remoteOllama(host: string): string;
  /** A model file is outside the workspace. */
  outsideFile(path: string): string;
  /** A model file is in an untrusted folder. */
  untrustedFile(path: string): string;
}

export const studioAdvice: ModelAdvice = {
  vendorKey: (provider, variable, trusted) =>
    `Enter one in Settings (or with “pravah key set ${provider}”), or set ${variable} in the environment or in the workspace’s .env${trusted ? '' : ', which is read once the folder is trusted'}.`,
  workspaceKey: (variable) => `so set its key there too, as ${variable}, or enter a key for this address in Settings`,
  otherAddress: (endpoint) => `The key in Settings was entered for ${endpoint} and is sent only there.`,
  serviceKey: (variable, base_url) => `put ${variable} into the workspace’s .env, or enter it in Settings for ${base_url}`,
  noService: (name) => `Add it in Settings or in pravah.json: "providers": {"${name}": {"base_url": "https://…", "key": "VARIABLE"}}.`,
  folderService: () => 'Trust the folder to use it.',
  remoteOllama: () => 'Trust the folder to use it, or run Ollama on this machine.',
  outsideFile: (path) => `Choose the file in Settings, or with “pravah models add ${path}”, to use it.`,
  untrustedFile: () => 'Trust the folder, or choose the file in Settings.',
};

export const programAdvice: ModelAdvice = {
  vendorKey: (provider, variable) =>
    `Pass it: createContext({ keys: { ${provider}: '…' } }). Or set ${variable} in the environment, read the folder’s .env with env_file: true, or use your stored keys with stored_keys: true.`,
  workspaceKey: (variable) =>
    `so set its key there too, as ${variable}, or pass a function that chooses the key by address: createContext({ keys: ({ base_url }) => … })`,
  otherAddress: (endpoint) => `The stored key was entered for ${endpoint} and is sent only there. Pass one: createContext({ keys }).`,
  serviceKey: (variable, base_url) =>
    `put ${variable} into the folder’s .env and read it with createContext({ env_file: true }), or pass a function that gives a key for ${base_url}: createContext({ keys: ({ base_url }) => … })`,
  noService: (name) =>
    `Name it in createContext({ settings: { providers: { ${JSON.stringify(name)}: { base_url: 'https://…' } } } }), use the folder’s pravah.json with settings: true, or your stored services with stored_keys: true.`,
  folderService: () => 'Allow it with createContext({ settings: true }).',
  remoteOllama: (host) => `Allow it with createContext({ allow_hosts: ['${host}'] }), or trust the folder with trusted: true.`,
  outsideFile: (path) => `Allow it with createContext({ model_files: [${JSON.stringify(path)}] }).`,
  untrustedFile: (path) =>
    `Allow it with createContext({ model_files: [${JSON.stringify(path)}] }), or trust the folder with trusted: true.`,
};
