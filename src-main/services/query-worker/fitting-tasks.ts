import { readFile } from 'node:fs/promises';
import { flowFile } from '#main/workspace/flow-path.ts';
import { canBeNested, isCodeFlow } from '#shared/flow/flow-file.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import { type SchemaFit, schemaFit } from '#shared/flow/schema-fit.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { BackgroundFolder, FlowText } from './background-folder.ts';

interface Question extends FlowText {
  readonly state: string;
  readonly side: 'input' | 'output';
  /** The folder is trusted: its flows in code can be loaded. */
  readonly trusted: boolean;
  readonly states: readonly string[];
  readonly tools: readonly { readonly name: string; readonly schema: Json }[];
}

interface Fits {
  readonly states: Record<string, SchemaFit>;
  readonly tools: Record<string, SchemaFit>;
  readonly flows: { readonly path: string; readonly once: SchemaFit; readonly each: SchemaFit }[];
}

const notAList: SchemaFit = { fit: 'none', reason: 'For each item needs a list.' };

/** What fits a state of a flow that is being drawn. */
export const fittingTasks = {
  async fitting(folder: BackgroundFolder, { path, text, state, side, states, tools, trusted }: Question): Promise<Fits> {
    const schemas = parseFlow(text, path).outline.schemas ?? {};
    const own = (schemas[state] ?? true) as Json;
    const fitWith = (other: Json) => (side === 'output' ? schemaFit(own, other) : schemaFit(other, own));
    const items = isJsonObject(own) && own.type === 'array' ? ((own.items ?? true) as Json) : null;
    const fitItems = (other: Json) => (items === null ? notAList : side === 'output' ? schemaFit(items, other) : schemaFit(other, items));
    const flows = await otherFlows(folder, path, trusted);
    return {
      states: Object.fromEntries(states.map((name) => [name, fitWith((schemas[name] ?? true) as Json)])),
      tools: Object.fromEntries(tools.map(({ name, schema }) => [name, fitWith(schema)])),
      flows: flows.map(({ path: other, outline }) => {
        const end = side === 'output' ? outline.input : outline.output;
        const schema = (outline.schemas?.[end ?? ''] ?? true) as Json;
        return { path: other, once: fitWith(schema), each: fitItems(schema) };
      }),
    };
  },
};

/** The readable flows of the folder except this one. A file that cannot be read fits nothing, and its own problems say why. */
async function otherFlows(
  folder: BackgroundFolder,
  path: string,
  trusted: boolean,
): Promise<(Pick<ParsedFlow, 'outline'> & { path: string })[]> {
  const files = (await folder.flows.read()).filter((file) => file.path !== path && canBeNested(file.path, trusted));
  const read = files.map(async (file) => {
    try {
      const text = isCodeFlow(file.path)
        ? (await folder.build({ path: file.path, text: '', trusted })).text
        : await readFile(await flowFile(folder.folder, file.path), 'utf8');
      const { outline } = parseFlow(text, file.path);
      return outline.input === undefined || outline.output === undefined ? [] : [{ path: file.path, outline }];
    } catch {
      return [];
    }
  });
  return (await Promise.all(read)).flat();
}
