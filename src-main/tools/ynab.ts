import type { Context } from '#main/engine/ports/context.ts';
import { mayGoTo } from '#main/engine/secrets/hosts.ts';
import { guardedRequest, HttpFailure } from '#main/tools/http/guarded-request.ts';
import { hostRules } from '#main/tools/http/host-rules.ts';
import { type YnabAction, type YnabActionName, ynabActions } from '#main/tools/ynab/actions.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

const baseUrl = 'https://api.ynab.com/v1';
/** Variables that may contain the key: the vendor's spelling, then PyFlow's. */
const keyNames = ['YNAB_API_TOKEN', 'PYFLOW_YNAB_API_TOKEN'] as const;
const timeoutMs = 30_000;

const id = { type: 'string', maxLength: 200 };

export const ynabTool = builtInTool('ynab', {
  description: 'Reads and changes YNAB (You Need A Budget) data: budgets, accounts, categories, payees, transactions and months.',
  input_schema: inputSchema(
    {
      action: { enum: Object.keys(ynabActions), description: 'What to do' },
      budget_id: { ...id, description: 'Required by all actions except list_budgets; last-used selects the most recently used budget' },
      account_id: { ...id, description: 'Of get_account' },
      category_id: { ...id, description: 'For get_category, update_category and get_month_category' },
      payee_id: { ...id, description: 'Of update_payee' },
      transaction_id: { ...id, description: 'For get_transaction and update_transaction' },
      scheduled_transaction_id: { ...id, description: 'For update_scheduled_transaction and delete_scheduled_transaction' },
      month: { type: 'string', pattern: '^(current|\\d{4}-\\d{2}-\\d{2})?$', description: 'First day of a month (YYYY-MM-DD), or current' },
      data: {
        type: ['object', 'array', 'string'],
        description: 'Data to create or change: an object (a list is allowed for transactions) or JSON text',
      },
      since_date: { type: 'string', pattern: '^(\\d{4}-\\d{2}-\\d{2})?$', description: 'For list_transactions: only from this day on' },
      type_filter: { enum: ['', 'uncategorized', 'unapproved'], description: 'Of list_transactions' },
    },
    ['action'],
  ),
  output_schema: {
    type: 'object',
    properties: { success: { type: 'boolean' }, data: {}, error: { type: 'string' } },
    required: ['success'],
  },
  call: async (input, ctx): Promise<Json> => {
    try {
      const action: YnabAction = ynabActions[input.action as YnabActionName];
      const url = addressOf(action, input, ctx.endpoints?.ynab ?? baseUrl);
      const body = bodyOf(action, input);
      const answer = await guardedRequest({
        method: action.method,
        url,
        headers: { authorization: `Bearer ${keyFor(url, ctx)}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        stays: true,
        timeoutMs: timeoutMs,
        signal: ctx.signal,
        rules: hostRules(ctx, ctx.endpoints?.ynab !== undefined),
      });
      return resultOf(answer.status, answer.body);
    } catch (error) {
      if (error instanceof HttpFailure) return { success: false, error: error.message };
      throw error;
    }
  },
});

function addressOf({ path, query = {} }: YnabAction, input: JsonObject, base: string): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_all, field: string) => {
    const value = input[field];
    if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value);
    throw new HttpFailure(`${input.action as string} requires ${field}`);
  });
  const url = new URL(`${base.replace(/\/$/, '')}${filled}`);
  for (const [field, name] of Object.entries(query)) {
    if (input[field]) url.searchParams.set(name, input[field] as string);
  }
  return url;
}

function bodyOf({ body }: YnabAction, input: JsonObject): Json | undefined {
  if (!body) return undefined;
  const [one, many] = body;
  const data = typeof input.data === 'string' ? parse(input.data) : (input.data ?? {});
  if (Array.isArray(data)) {
    if (many) return { [many]: data };
    throw new HttpFailure(`${input.action as string} accepts one object, not a list`);
  }
  if (!isJsonObject(data) || Object.keys(data).length === 0) throw new HttpFailure(`${input.action as string} requires data`);
  if (Object.hasOwn(data, one) || (many && Object.hasOwn(data, many))) return data;
  // The API updates transactions in lists.
  if (input.action === 'update_transaction')
    return { transactions: [{ ...(input.transaction_id && { id: input.transaction_id }), ...data }] };
  return { [one]: data };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new HttpFailure('data is not valid JSON');
  }
}

/** The key, if it may be sent to this address. A key without hosts is for the vendor's address only. */
function keyFor(url: URL, { secrets, secret_hosts }: Context): string {
  const name = keyNames.find((known) => secrets.has(known));
  if (name === undefined) throw new HttpFailure(`no YNAB key: set ${keyNames[0]} as a secret or in .env of a trusted folder`);
  const hosts = secret_hosts?.get(name) ?? [new URL(baseUrl).host];
  if (mayGoTo(hosts, url)) return secrets.get(name) as string;
  throw new ToolError('Denied', `The secret ${name} is not sent: it was not entered for ${url.origin}, only for ${hosts.join(', ')}.`, {
    details: { secret: name },
  });
}

function resultOf(status: number, text: string): Json {
  let answer: Json = null;
  try {
    answer = JSON.parse(text) as Json;
  } catch {
    return { success: false, error: `YNAB answered ${status} with invalid JSON` };
  }
  if (status >= 200 && status < 300) return { success: true, data: isJsonObject(answer) ? (answer.data ?? answer) : answer };
  const error = isJsonObject(answer) && isJsonObject(answer.error) ? answer.error : {};
  const detail = typeof error.detail === 'string' ? error.detail : (error.name ?? 'no details');
  return { success: false, error: `YNAB answered ${status}: ${detail as string}` };
}
