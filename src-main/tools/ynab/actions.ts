/** One action of the tool as the vendor's API has it (api.ynab.com, version 1). */
export interface YnabAction {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{field}` stands for a field of the input, which must be there. */
  readonly path: string;
  /** Fields of the input that become the query, by the API's names. */
  readonly query?: Readonly<Record<string, string>>;
  /** Under which key the API expects `data`; of several, the second is for a list. */
  readonly body?: readonly [one: string, many?: string];
}

const budget = '/budgets/{budget_id}';

/** PyFlow's actions, all of them. */
export const ynabActions = {
  list_budgets: { method: 'GET', path: '/budgets' },
  get_budget: { method: 'GET', path: budget },
  list_accounts: { method: 'GET', path: `${budget}/accounts` },
  get_account: { method: 'GET', path: `${budget}/accounts/{account_id}` },
  list_categories: { method: 'GET', path: `${budget}/categories` },
  get_category: { method: 'GET', path: `${budget}/categories/{category_id}` },
  // What is budgeted belongs to a month; the API has no other way to set it.
  update_category: { method: 'PATCH', path: `${budget}/months/{month}/categories/{category_id}`, body: ['category'] },
  list_payees: { method: 'GET', path: `${budget}/payees` },
  update_payee: { method: 'PATCH', path: `${budget}/payees/{payee_id}`, body: ['payee'] },
  list_transactions: { method: 'GET', path: `${budget}/transactions`, query: { since_date: 'since_date', type_filter: 'type' } },
  get_transaction: { method: 'GET', path: `${budget}/transactions/{transaction_id}` },
  create_transaction: { method: 'POST', path: `${budget}/transactions`, body: ['transaction', 'transactions'] },
  update_transaction: { method: 'PATCH', path: `${budget}/transactions`, body: ['transaction', 'transactions'] },
  list_scheduled_transactions: { method: 'GET', path: `${budget}/scheduled_transactions` },
  create_scheduled_transaction: { method: 'POST', path: `${budget}/scheduled_transactions`, body: ['scheduled_transaction'] },
  update_scheduled_transaction: {
    method: 'PUT',
    path: `${budget}/scheduled_transactions/{scheduled_transaction_id}`,
    body: ['scheduled_transaction'],
  },
  delete_scheduled_transaction: { method: 'DELETE', path: `${budget}/scheduled_transactions/{scheduled_transaction_id}` },
  list_months: { method: 'GET', path: `${budget}/months` },
  get_month_category: { method: 'GET', path: `${budget}/months/{month}/categories/{category_id}` },
} as const satisfies Record<string, YnabAction>;

export type YnabActionName = keyof typeof ynabActions;
