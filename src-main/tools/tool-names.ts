/** Names of the built-in tools, without loading their code (see the catalogue). */
const names = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search_files',
  'run_command',
  'ask_user',
  'storage',
  'transform',
  'condition',
  'http_request',
  'alert',
  'scrape_url',
  'ynab',
  'load_memory',
  'preload_memory',
  'save_memory',
  'load_artifacts',
  'save_artifact',
  'exit_loop',
] as const;

export type BuiltInToolName = (typeof names)[number];

/** Whether a name is a built-in tool, as opposed to one of a server, a flow or a file. */
export const toolNames: ReadonlySet<string> = new Set(names);
