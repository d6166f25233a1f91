import type { Context } from '#main/engine/ports/context.ts';
import type { NodeBody } from '#shared/flow/graph.ts';
import { secretPlaceholder, secretsIn } from '#shared/flow/secret-placeholder.ts';
import { parseTemplate } from '#shared/flow/template.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import { mayGoTo } from './hosts.ts';

/** Fields of a call that code may put secrets into: what data seldom gets into, and what the other side does not pass on. */
const fieldsOfCode: ReadonlySet<string> = new Set(['headers', 'url', 'webhook_url']);

/**
 * Puts secrets in the place of their `{secret:NAME}` in one field of a call that goes to `url`. Throws `ToolError` `Denied`, before anything
 * is sent, for a secret that is not known here, was not entered for that host, or whose placeholder was not written by the flow's author:
 * what comes out of data or a model could otherwise have a secret sent where others read it.
 */
export function revealSecrets(
  { secrets, secret_hosts }: Pick<Context, 'secrets' | 'secret_hosts'>,
  body: NodeBody,
  field: string,
  value: Json,
  url: URL,
): Json {
  if (secretsIn(value).length === 0) return value;
  assertWritten(body, field, value);
  return revealIn(value, (name) => {
    const secret = secrets.get(name);
    const hosts = secret_hosts?.get(name);
    if (secret === undefined || !hosts) {
      throw denied(
        name,
        'it is not known here. Set it with `pravah secret set`, or write it into the .env of a trusted folder and its hosts into "secrets" in pravah.json',
      );
    }
    if (!mayGoTo(hosts, url)) throw denied(name, `it was not entered for ${url.origin}, only for ${hosts.join(', ') || 'no host'}`);
    return secret;
  });
}

function assertWritten(body: NodeBody, field: string, value: Json): void {
  const [name = ''] = secretsIn(value);
  switch (body.type) {
    case 'tool':
      if (isWritten(value, body.with[field])) return;
      throw denied(name, 'its placeholder came with the data of this call, and only the flow itself may ask for a secret');
    case 'session':
      if ('tool' in body.session && isWritten(value, body.session.with?.[field])) return;
      throw denied(name, 'its placeholder came with the data of this call, and only the flow itself may ask for a secret');
    case 'run':
      if (!fieldsOfCode.has(field)) break;
      if (secretsIn(value).every((each) => secretsIn(body.source).includes(each))) return;
      throw denied(name, 'the code of this node does not name it, so its placeholder came with the data');
    case 'function':
    case 'module':
    case 'handler':
      if (fieldsOfCode.has(field)) return;
      break;
    default:
      throw denied(name, 'a model cannot use secrets. Give the agent a flow as a tool (flow:PATH) whose tool node names it');
  }
  throw denied(name, `code may use secrets in ${[...fieldsOfCode].join(', ')} only, not in ${field}`);
}

/** Whether all placeholders in a filled value are in its template, too. */
function isWritten(value: Json, template: Json | undefined): boolean {
  if (typeof value === 'string') {
    const written = typeof template === 'string' ? parseTemplate(template).filter((part) => typeof part === 'string') : [];
    return secretsIn(value).sort().join() === written.flatMap(secretsIn).sort().join();
  }
  if (Array.isArray(value)) return value.every((item, index) => isWritten(item, Array.isArray(template) ? template[index] : undefined));
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(
    ([key, item]) =>
      secretsIn(key).length === 0 && isWritten(item, isJsonObject(template) && Object.hasOwn(template, key) ? template[key] : undefined),
  );
}

function revealIn(value: Json, reveal: (name: string) => string): Json {
  if (typeof value === 'string') return value.replace(secretPlaceholder, (_placeholder, name: string) => reveal(name));
  if (Array.isArray(value)) return value.map((item) => revealIn(item, reveal));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revealIn(item, reveal)]));
}

function denied(name: string, reason: string): ToolError {
  return new ToolError('Denied', `The secret ${name} is not sent: ${reason}.`, { details: { secret: name } });
}
