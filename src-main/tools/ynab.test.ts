import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestServer } from '#main/tools/testing/test-server.ts';
import { refusal, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { type YnabActionName, ynabActions } from '#main/tools/ynab/actions.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { ynabTool } from './ynab.ts';

let workspace: TestWorkspace;
let server: TestServer;
let answer: { status: number; body: string };
beforeEach(async () => {
  workspace = await TestWorkspace.make();
  answer = { status: 200, body: '{"data":{"fine":true}}' };
  server = await TestServer.start((_request, response) =>
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body),
  );
  await workspace.write('pravah.json', JSON.stringify({ endpoints: { ynab: server.url('/v1') }, http: { allow_private: ['127.0.0.1'] } }));
  await workspace.write('.env', 'YNAB_API_TOKEN=budget-key\n');
});
afterEach(async () => {
  await workspace[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** As the engine calls it, with the hosts that the key was entered for. */
async function ynab(input: JsonObject, hosts: readonly string[] | null = [`127.0.0.1:${server.port}`]): Promise<Json> {
  const context = await workspace.context();
  const secret_hosts = new Map(hosts === null ? [] : [['YNAB_API_TOKEN', hosts]]);
  return ynabTool.call(input, { ...context, secret_hosts });
}

/** Every action with what it needs, and the request that the API's documentation shows for it. */
const calls: Readonly<Record<YnabActionName, readonly [input: JsonObject, method: string, path: string, body?: Json]>> = {
  list_budgets: [{}, 'GET', '/v1/budgets'],
  get_budget: [{ budget_id: 'b 1/../x' }, 'GET', '/v1/budgets/b%201%2F..%2Fx'],
  list_accounts: [{ budget_id: 'b' }, 'GET', '/v1/budgets/b/accounts'],
  get_account: [{ budget_id: 'b', account_id: 'a' }, 'GET', '/v1/budgets/b/accounts/a'],
  list_categories: [{ budget_id: 'b' }, 'GET', '/v1/budgets/b/categories'],
  get_category: [{ budget_id: 'b', category_id: 'c' }, 'GET', '/v1/budgets/b/categories/c'],
  update_category: [
    { budget_id: 'b', category_id: 'c', month: '2026-11-01', data: '{"budgeted":5000}' },
    'PATCH',
    '/v1/budgets/b/months/2026-11-01/categories/c',
    { category: { budgeted: 5000 } },
  ],
  list_payees: [{ budget_id: 'b' }, 'GET', '/v1/budgets/b/payees'],
  update_payee: [{ budget_id: 'b', payee_id: 'p', data: { name: 'Shop' } }, 'PATCH', '/v1/budgets/b/payees/p', { payee: { name: 'Shop' } }],
  list_transactions: [
    { budget_id: 'b', since_date: '2026-01-01', type_filter: 'unapproved' },
    'GET',
    '/v1/budgets/b/transactions?since_date=2026-01-01&type=unapproved',
  ],
  get_transaction: [{ budget_id: 'b', transaction_id: 't' }, 'GET', '/v1/budgets/b/transactions/t'],
  create_transaction: [
    { budget_id: 'b', data: [{ amount: -1 }, { amount: -2 }] },
    'POST',
    '/v1/budgets/b/transactions',
    { transactions: [{ amount: -1 }, { amount: -2 }] },
  ],
  update_transaction: [
    { budget_id: 'b', transaction_id: 't', data: { memo: 'x' } },
    'PATCH',
    '/v1/budgets/b/transactions',
    { transactions: [{ id: 't', memo: 'x' }] },
  ],
  list_scheduled_transactions: [{ budget_id: 'b' }, 'GET', '/v1/budgets/b/scheduled_transactions'],
  create_scheduled_transaction: [
    { budget_id: 'b', data: { scheduled_transaction: { amount: 1 } } },
    'POST',
    '/v1/budgets/b/scheduled_transactions',
    { scheduled_transaction: { amount: 1 } },
  ],
  update_scheduled_transaction: [
    { budget_id: 'b', scheduled_transaction_id: 's', data: { amount: 1 } },
    'PUT',
    '/v1/budgets/b/scheduled_transactions/s',
    { scheduled_transaction: { amount: 1 } },
  ],
  delete_scheduled_transaction: [{ budget_id: 'b', scheduled_transaction_id: 's' }, 'DELETE', '/v1/budgets/b/scheduled_transactions/s'],
  list_months: [{ budget_id: 'b' }, 'GET', '/v1/budgets/b/months'],
  get_month_category: [{ budget_id: 'b', month: 'current', category_id: 'c' }, 'GET', '/v1/budgets/b/months/current/categories/c'],
};

describe('ynab', () => {
  test.each(Object.entries(calls))('%s makes its request, with the key', async (action, [input, method, path, body]) => {
    expect(await ynab({ action, ...input })).toEqual({ success: true, data: { fine: true } });
    expect(server.requests).toMatchObject([{ method, path, headers: { authorization: 'Bearer budget-key' } }]);
    const sent = server.requests[0]?.body ?? '';
    expect(sent === '' ? undefined : JSON.parse(sent)).toEqual(body);
  });

  test('has nineteen actions', () => expect(Object.keys(ynabActions)).toHaveLength(19));

  test('ynab sends nothing when a parameter is missing, and names the parameter', async () => {
    const incomplete: JsonObject[] = [
      { action: 'get_budget' },
      { action: 'get_account', budget_id: 'b', account_id: '..' },
      { action: 'update_payee', budget_id: 'b', payee_id: 'p' },
      { action: 'update_payee', budget_id: 'b', payee_id: 'p', data: '{' },
      { action: 'update_payee', budget_id: 'b', payee_id: 'p', data: [] },
    ];
    const failures = await Promise.all(incomplete.map((input) => ynab(input)));
    expect(failures.map((failure) => (failure as JsonObject).error)).toEqual([
      'get_budget requires budget_id',
      'get_account requires account_id',
      'update_payee requires data',
      'data is not valid JSON',
      'update_payee accepts one object, not a list',
    ]);
    await workspace.write('.env', '');
    expect(await ynab({ action: 'list_budgets' })).toMatchObject({ success: false, error: expect.stringContaining('YNAB_API_TOKEN') });
    expect(server.requests).toEqual([]);
  });

  test('never sends the key to an address that it was not entered for', async () => {
    expect((await refusal(ynab({ action: 'list_budgets' }, null))).variant).toBe('Denied');
    expect((await refusal(ynab({ action: 'list_budgets' }, ['api.ynab.com']))).message).toContain('only for api.ynab.com');
    expect(server.requests).toEqual([]);
  });

  test('ynab returns the service’s error message', async () => {
    answer = { status: 404, body: '{"error":{"id":"404.2","name":"resource_not_found","detail":"Resource not found"}}' };
    expect(await ynab({ action: 'list_budgets' })).toEqual({ success: false, error: 'YNAB answered 404: Resource not found' });
    answer = { status: 502, body: '<html>' };
    expect(await ynab({ action: 'list_budgets' })).toMatchObject({ success: false, error: expect.stringContaining('502') });
  });
});
