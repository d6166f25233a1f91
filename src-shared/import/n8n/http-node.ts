import { objectAt, objectsAt, textAt } from '#shared/import/json-fields.ts';
import type { Json } from '#shared/json.ts';
import type { N8nContext, N8nNode } from './context.ts';
import { parameterCode } from './expressions.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);

/** A request: its address, headers and body are computed first, and the item that it hands on is the body of the response. */
export function readHttp(node: N8nNode, context: N8nContext): void {
  const { name, key, parameters, at, raw } = node;
  const { report, names } = context;
  const method = (textAt(parameters, 'method') || textAt(parameters, 'requestMethod') || 'GET').toUpperCase();
  if (!methods.has(method)) {
    const message = `“${name}” sends ${method}, which the tool http_request does not. Replace this node.`;
    report('import_placeholder', at, message);
    context.node({ id: name, title: name, key, does: { kind: 'placeholder', message } });
    return;
  }
  const value = (given: Json | undefined) => {
    const { code, blocked } = parameterCode(given ?? null, context.keys);
    if (blocked !== undefined)
      report('import_departs', at, `“${name}” uses ${blocked}, which is not supported: it is empty in the request.`);
    return code;
  };
  const pairs = (field: string) =>
    objectsAt(objectAt(parameters, field), 'parameters').map((each) => `[${value(each.name)}, ${value(each.value)}]`);
  const headers = parameters.sendHeaders === true ? pairs('headerParameters') : [];
  const query = parameters.sendQuery === true ? pairs('queryParameters') : [];
  const credentials = Object.keys(objectAt(raw, 'credentials'));
  if (credentials.length > 0)
    report(
      'import_departs',
      [...at, 'credentials'],
      `“${name}” uses the credentials “${credentials.join(', ')}”, which are not in the file. Add a header such as "Bearer {secret:NAME}", and set the secret.`,
    );
  const url =
    query.length > 0
      ? `((url, query) => url + (url.includes('?') ? '&' : '?') + query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'))(${value(parameters.url)}, [${query.join(', ')}])`
      : value(parameters.url);
  const body = bodyCode(node, value, pairs);
  if (parameters.sendBody === true && body === null)
    report('import_departs', at, `“${name}” sends a form or a file. Its body is left out.`);
  const request = names.field(`${key} request`);
  const fields = [
    `url: ${url}`,
    ...(headers.length > 0 ? [`headers: Object.fromEntries([${headers.join(', ')}])`] : []),
    ...(body === null ? [] : [`body: ${body}`]),
  ];
  context.node({
    id: name,
    title: name,
    key,
    ...(node.note && { note: node.note }),
    does: {
      kind: 'tool',
      tool: 'http_request',
      with: {
        url: `{${request}.url}`,
        method,
        ...(headers.length > 0 && { headers: `{${request}.headers}` }),
        ...(body !== null && { body: `{${request}.body}` }),
      },
      schema: { type: 'object' },
    },
  });
  context.before(name, {
    id: `${name}$request`,
    title: `Request of ${name}`,
    key: request,
    does: { kind: 'code', code: `({ ${fields.join(', ')} })`, schema: { type: 'object' } },
  });
  const response = `((response) => { if (response.status === 0 || response.status >= 400) throw new Error('The request failed: ' + (response.error ?? response.status)); return typeof response.body === 'object' && response.body !== null ? response.body : { data: response.body }; })(data.${key})`;
  context.after(name, {
    id: `${name}$response`,
    title: `Response of ${name}`,
    key: names.field(`${key} response`),
    does: { kind: 'change', code: `((json) => ({ ...data, ${key}: json, json }))(${response})`, keys: { json: true } },
  });
}

function bodyCode({ parameters }: N8nNode, value: (given: Json | undefined) => string, pairs: (field: string) => string[]): string | null {
  if (parameters.sendBody !== true) return null;
  const type = textAt(parameters, 'contentType') || 'json';
  if (type === 'raw') return value(parameters.body);
  if (type !== 'json') return null;
  if (textAt(parameters, 'specifyBody') === 'json') return value(parameters.jsonBody);
  return `Object.fromEntries([${pairs('bodyParameters').join(', ')}])`;
}
