import type { Tool } from '#main/engine/ports/tool.ts';
import type { BuiltInToolName } from '#shared/flow/tools/built-in-tools.ts';
import { alertTool } from './alert.ts';
import { askUserTool } from './ask-user.ts';
import { conditionTool } from './condition.ts';
import { editFileTool } from './edit-file.ts';
import { exitLoopTool } from './exit-loop.ts';
import { httpRequestTool } from './http-request.ts';
import { listFilesTool } from './list-files.ts';
import { loadArtifactsTool } from './load-artifacts.ts';
import { loadMemoryTool, preloadMemoryTool } from './load-memory.ts';
import { readFileTool } from './read-file.ts';
import { runCommandTool } from './run-command.ts';
import { saveArtifactTool } from './save-artifact.ts';
import { saveMemoryTool } from './save-memory.ts';
import { scrapeUrlTool } from './scrape-url.ts';
import { searchFilesTool } from './search-files.ts';
import { storageTool } from './storage.ts';
import { transformTool } from './transform.ts';
import { writeFileTool } from './write-file.ts';
import { ynabTool } from './ynab.ts';

// To add a built-in tool, create a file in this folder, add a row to src-shared/flow/tools/built-in-tools.ts and an entry here.
const tools: Readonly<Record<BuiltInToolName, Tool>> = {
  read_file: readFileTool,
  write_file: writeFileTool,
  edit_file: editFileTool,
  list_files: listFilesTool,
  search_files: searchFilesTool,
  run_command: runCommandTool,
  ask_user: askUserTool,
  storage: storageTool,
  transform: transformTool,
  condition: conditionTool,
  http_request: httpRequestTool,
  alert: alertTool,
  scrape_url: scrapeUrlTool,
  ynab: ynabTool,
  load_memory: loadMemoryTool,
  preload_memory: preloadMemoryTool,
  save_memory: saveMemoryTool,
  load_artifacts: loadArtifactsTool,
  save_artifact: saveArtifactTool,
  exit_loop: exitLoopTool,
};

const byName: ReadonlyMap<string, Tool> = new Map(Object.entries(tools));

/** The built-in tools by name, available in every workspace. */
export function builtInTools(): ReadonlyMap<string, Tool> {
  return byName;
}
