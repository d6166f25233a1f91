import { listAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import { isScript, selfContained } from '#shared/import/self-contained.ts';
import type { DifyContext, DifyNode } from './dify-reader.ts';
import { put } from './put.ts';
import { simpleJinja } from './selectors.ts';

/** JavaScript runs in the sandbox. Python becomes a tool of the project. */
export function readCode(node: DifyNode, context: DifyContext): void {
  const { data, title, key, at } = node;
  const { selectors, report } = context;
  const code = textAt(data, 'code');
  const variables = objectsAt(data, 'variables').map((each) => ({
    name: textAt(each, 'variable'),
    selector: listAt(each, 'value_selector'),
  }));
  if (textAt(data, 'code_language') !== 'javascript') {
    const name = `dify_${key}`;
    context.file({
      path: `tools/${name}.py`,
      text: pythonTool(
        name,
        title,
        code,
        variables.map((each) => each.name),
      ),
    });
    report(
      'import_departs',
      at,
      `The Python code of “${title}” is the tool tools/${name}.py. It runs in your own Python, in a trusted folder only.`,
    );
    const filled = Object.fromEntries(
      variables.map((each) => [each.name, `{${(selectors.path(each.selector) ?? ['missing']).join('.')}}`]),
    );
    put(node, { kind: 'tool', tool: `py:${name}`, with: filled, schema: { type: 'object' } }, context);
    return;
  }
  const blocked = selfContained(code) ?? (isScript(code) ? null : 'await, or syntax that is not JavaScript');
  if (blocked !== null) {
    const message = `The code of “${title}” uses “${blocked}”, which the sandbox does not have. Replace this node.`;
    report('import_placeholder', at, message);
    put({ ...node, note: code.slice(0, 2000) }, { kind: 'placeholder', message }, context);
    return;
  }
  const given = variables.map((each) => `${JSON.stringify(each.name)}: ${selectors.value(each.selector)}`).join(', ');
  put(node, { kind: 'code', code: `(() => {\n${code}\nreturn main({ ${given} });\n})()`, schema: { type: 'object' } }, context);
}

/** A tool class around the code's `main`, as projects define their tools. */
function pythonTool(name: string, title: string, code: string, parameters: readonly string[]): string {
  const described = `Code of the node ${JSON.stringify(title)}, imported from Dify.`;
  const list = parameters.map((each) => `, ${each}=None`).join('');
  return `# ${described.replaceAll('\n', ' ')}
${code.trimEnd()}


class ImportedCode:
    name = ${JSON.stringify(name)}
    description = ${JSON.stringify(described)}

    async def execute(self, tool_context${list}):
        return main(${parameters.map((each) => `${each}=${each}`).join(', ')})
`;
}

/** A Jinja template that only inserts variables. */
export function readTemplate(node: DifyNode, context: DifyContext): void {
  const { data, title, at } = node;
  const paths = new Map(
    objectsAt(data, 'variables').map((each) => [
      textAt(each, 'variable'),
      context.selectors.path(listAt(each, 'value_selector')) ?? ['missing'],
    ]),
  );
  const code = simpleJinja(textAt(data, 'template'), paths);
  if (code !== null) {
    put(node, { kind: 'code', code, schema: { type: 'string' } }, context);
    return;
  }
  const message = `The template of “${title}” computes something in Jinja (a filter, a loop or a condition). Write it as code.`;
  context.report('import_placeholder', at, message);
  put({ ...node, note: textAt(data, 'template').slice(0, 2000) }, { kind: 'placeholder', message }, context);
}
