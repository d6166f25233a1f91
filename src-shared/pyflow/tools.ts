/** PyFlow's own tools, which have the same names here. */
export const platformTools: ReadonlySet<string> = new Set(['http_request', 'transform', 'condition', 'alert', 'storage', 'ynab']);

/** Tools of ADK that PyFlow offers to llm agents by name. */
export const adkTools: ReadonlySet<string> = new Set(['exit_loop', 'get_user_choice', 'load_memory', 'preload_memory', 'load_artifacts']);

/** Tools of ADK that Gemini runs itself, with the field of its request that turns each one on. */
export const geminiTools: Readonly<Record<string, string>> = {
  google_search: 'googleSearch',
  google_maps_grounding: 'googleMaps',
  url_context: 'urlContext',
  enterprise_web_search: 'enterpriseWebSearch',
};

/** The tool by which a router hands over to another agent. */
export const transferTool = 'transfer_to_agent';

/** The tool that ends the loops around an agent. */
export const exitLoopTool = 'exit_loop';
