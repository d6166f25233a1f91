import { alertTool } from './alert.ts';
import { askUserTool } from './ask-user.ts';
import { conditionTool } from './condition.ts';
import { editFileTool } from './edit-file.ts';
import { httpRequestTool } from './http-request.ts';
import { listFilesTool } from './list-files.ts';
import { readFileTool } from './read-file.ts';
import { runCommandTool } from './run-command.ts';
import { searchFilesTool } from './search-files.ts';
import { storageTool } from './storage.ts';
import type { Tool } from './tool.ts';
import { transformTool } from './transform.ts';
import { writeFileTool } from './write-file.ts';

// A new built-in tool is one file beside this one and one entry here.
const tools: readonly Tool[] = [
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
  searchFilesTool,
  runCommandTool,
  askUserTool,
  storageTool,
  transformTool,
  conditionTool,
  httpRequestTool,
  alertTool,
];

const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));

/** The tools that every workspace has, by name. */
export function builtInTools(): ReadonlyMap<string, Tool> {
  return byName;
}

/** Their names: what a flow may call without naming a server, a flow or a file. */
export const toolNames: ReadonlySet<string> = new Set(byName.keys());
