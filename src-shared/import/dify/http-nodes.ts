import { objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import type { Json } from '#shared/json.ts';
import type { DifyContext, DifyNode } from './dify-reader.ts';
import { put } from './put.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);

/** One request with the tool `http_request`. */
export function readHttp(node: DifyNode, context: DifyContext): void {
  const { data, title, at } = node;
  const { selectors, report } = context;
  const fill = (text: string) => selectors.template(text, true);
  const method = textAt(data, 'method').toUpperCase();
  const headers = Object.fromEntries(lines(textAt(data, 'headers')).map(([name, value]) => [name, fill(value)]));
  const authorization = objectAt(data, 'authorization');
  if (textAt(authorization, 'type') === 'api-key') {
    const config = objectAt(authorization, 'config');
    const secret = 'DIFY_API_KEY';
    const prefix = textAt(config, 'type') === 'bearer' ? 'Bearer ' : textAt(config, 'type') === 'basic' ? 'Basic ' : '';
    headers[textAt(config, 'header') || 'Authorization'] = `${prefix}{secret:${secret}}`;
    report(
      'import_departs',
      [...at, 'authorization'],
      `“${title}” sends a key, which is not carried over. Set it: pravah secret set ${secret}, with the host that may get it.`,
    );
  }
  const query = lines(textAt(data, 'params')).map(([name, value]) => `${encodeURIComponent(name)}=${fill(value)}`);
  const url = fill(textAt(data, 'url')) + (query.length > 0 ? `${textAt(data, 'url').includes('?') ? '&' : '?'}${query.join('&')}` : '');
  if (!methods.has(method || 'GET')) {
    const message = `“${title}” sends ${method}, which the tool http_request does not. Replace this node.`;
    report('import_placeholder', at, message);
    put(node, { kind: 'placeholder', message }, context);
    return;
  }
  const body = bodyOf(data.body ?? null, fill);
  if (body === undefined) report('import_departs', [...at, 'body'], `“${title}” sends a form or a file. Its body is left out.`);
  put(
    node,
    {
      kind: 'tool',
      tool: 'http_request',
      with: {
        url,
        method: method || 'GET',
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(body !== undefined && body !== null && { body }),
      },
      schema: { type: 'object' },
    },
    context,
  );
}

/** Lines of the form `name:value`. */
function lines(text: string): [string, string][] {
  return text.split('\n').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : [];
  });
}

/** The body's text; null: none; undefined: of a kind that is not sent here. */
function bodyOf(body: Json, fill: (text: string) => string): string | null | undefined {
  const type = textAt(body, 'type');
  if (type === 'none' || type === '') return null;
  if (type !== 'json' && type !== 'raw-text') return undefined;
  const parts = objectsAt(body, 'data');
  return fill(parts.length > 0 ? parts.map((part) => textAt(part, 'value')).join('') : textAt(body, 'data'));
}

/** A tool of a plugin. Only reading a page has a counterpart here. */
export function readTool(node: DifyNode, context: DifyContext): void {
  const { data, title, at } = node;
  const parameters = objectAt(data, 'tool_parameters');
  const url = textAt(objectAt(parameters, 'url'), 'value');
  if (textAt(data, 'tool_name') === 'webscraper' && url !== '') {
    put(node, { kind: 'tool', tool: 'scrape_url', with: { url: context.selectors.template(url) }, schema: true }, context);
    return;
  }
  const message = `The tool “${textAt(data, 'tool_label') || textAt(data, 'tool_name')}” of ${textAt(data, 'provider_name') || 'a plugin'} is not carried over (“${title}”). Use a built-in tool, one of an MCP server, or your own.`;
  context.report('import_placeholder', at, message);
  put(node, { kind: 'placeholder', message }, context);
}
