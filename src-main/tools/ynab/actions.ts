/** An action and its endpoint in the vendor's API (api.ynab.com, version 1). */
export interface YnabAction {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{field}` is replaced by a required field of the input. */
  readonly path: string;
  /** Input fields that become query parameters, by the API's names. */
  readonly query?: Readonly<Record<string, string>>;
  /** Key under which the API expects `data`; a second key is for lists. */
  readonly body?: readonly [one: string, many?: string];
}

const budget = '/budgets/{budget_id}';

/** All of PyFlow's actions. */
export const ynabActions = {
  list_budgets: { method: 'GET', path: '/budgets' },
  get_budget: { method: 'GET', path: budget },
  list_accounts: { method: 'GET', path: `${budget}/accounts` },
  get_account: { method: 'GET', path: `${budget}/accounts/{account_id}` },
  list_categories: { method: 'GET', path: `${budget}/categories` },
  get_category: { method: 'GET', path: `${budget}/categories/{category_id}` },
  // Budgeted amounts belong to a month; the API has no other way to set them.
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
