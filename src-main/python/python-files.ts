import { fileURLToPath } from 'node:url';

/** Our Python files by the names under which they are imported. Installed packages with these names win. */
const modules = {
  '_pravah.requests': new URL('./child/requests.py', import.meta.url),
  '_pravah.values': new URL('./child/values.py', import.meta.url),
  '_pravah.functions': new URL('./child/functions.py', import.meta.url),
  '_pravah.callbacks': new URL('./child/callbacks.py', import.meta.url),
  '_pravah.messages': new URL('./child/messages.py', import.meta.url),
  '_pravah.context': new URL('./child/context.py', import.meta.url),
  '_pravah.tools': new URL('./child/tools.py', import.meta.url),
  '_pravah.project_files': new URL('./child/project_files.py', import.meta.url),
  '_pravah.describe': new URL('./child/describe.py', import.meta.url),
  'pyflow.tools.base': new URL('./child/names/pyflow_tools_base.py', import.meta.url),
  'pyflow.platform.callbacks': new URL('./child/names/pyflow_platform_callbacks.py', import.meta.url),
  'google.adk.tools.tool_context': new URL('./child/names/adk_tool_context.py', import.meta.url),
  'google.adk.tools.base_tool': new URL('./child/names/adk_base_tool.py', import.meta.url),
  'google.adk.models': new URL('./child/names/adk_models.py', import.meta.url),
  'google.adk.models.llm_request': new URL('./child/names/adk_llm_request.py', import.meta.url),
  'google.adk.models.llm_response': new URL('./child/names/adk_llm_response.py', import.meta.url),
  'google.adk.agents.callback_context': new URL('./child/names/adk_callback_context.py', import.meta.url),
  'google.genai.types': new URL('./child/names/genai_types.py', import.meta.url),
};

/** The program of the process. */
export const pythonProgram = fileURLToPath(new URL('./child/main.py', import.meta.url));

/** Paths of our Python modules by name. */
export function pythonModules(): Record<string, string> {
  return Object.fromEntries(Object.entries(modules).map(([name, url]) => [name, fileURLToPath(url)]));
}
