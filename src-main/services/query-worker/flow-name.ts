import { flowLanguage, parseFlow } from '#shared/flow/parse-flow.ts';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { isJsonObject } from '#shared/json.ts';

/** Maximum number of characters that are parsed for a flow's name; a longer text is searched instead. */
const parsedWhole = 64 * 1024;
/** Maximum number of characters that are searched: a list of flows must not wait for one large file. */
const searched = 256 * 1024;

/** Returns a flow's name in bounded time; undefined if none is found. */
export function readFlowName(text: string, path: string): string | undefined {
  if (text.length <= parsedWhole) return parseFlow(text, path).outline.name?.trim();
  const head = text.slice(0, searched);
  return (flowLanguage(path) === 'json' ? nameInJson(head) : nameInYaml(head))?.trim();
}

/** Returns the value of `"name"` among the document's top-level keys. */
function nameInJson(text: string): string | undefined {
  let depth = 0;
  for (const { 0: token, 1: key, 2: value } of text.matchAll(
    /("(?:[^"\\\n]|\\.)*")\s*:\s*("(?:[^"\\\n]|\\.)*")?|"(?:[^"\\\n]|\\.)*"?|[[{\]}]/g,
  )) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && key === '"name"' && value) return stringOf(value);
  }
  return undefined;
}

function stringOf(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}

function nameInYaml(text: string): string | undefined {
  const [line] = /^name:[^\n]{1,1000}$/m.exec(text) ?? [];
  const reading = line === undefined ? null : readYaml(line);
  const value = reading?.ok ? reading.root.value : null;
  return isJsonObject(value) && typeof value.name === 'string' ? value.name : undefined;
}
