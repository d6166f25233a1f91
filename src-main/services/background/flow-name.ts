import { flowLanguage, parseFlow } from '#shared/flow/parse-flow.ts';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { isJsonObject } from '#shared/json.ts';

/** Characters of a flow that are parsed for its name; in a longer one the name is searched for. */
const parsedWhole = 64 * 1024;
/** Characters in which it is searched for: a list of flows must not wait for one large file. */
const searched = 256 * 1024;

/** The name that a flow gives itself, found in bounded time; undefined where it has none, or hides it. */
export function readFlowName(text: string, path: string): string | undefined {
  if (text.length <= parsedWhole) return parseFlow(text, path).outline.name?.trim();
  const head = text.slice(0, searched);
  return (flowLanguage(path) === 'json' ? nameInJson(head) : nameInYaml(head))?.trim();
}

/** The value of `"name"` among the document's own keys. */
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
