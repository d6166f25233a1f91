import type { Json } from '#shared/json.ts';
import { type Check, type Checking, miss, nothingSeen, type Place, type Seen } from './checking.ts';
import type { Making } from './interpret-schema.ts';
import { listLimits, uniqueKeyword } from './value-keywords.ts';

/** The keywords for lists. */
export function listKeywords({ schema, checkOf }: Making): Check[] {
  const { prefixItems, items, contains, unevaluatedItems } = schema;
  const checks = listLimits(schema);
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  if (first.length > 0) checks.push(prefixKeyword(first.map((each) => checkOf(each))));
  if (items !== undefined) checks.push(restKeyword('items', items, checkOf(items), first.length > 0 ? first.length : null));
  if (contains !== undefined) checks.push(containsKeyword(contains, checkOf(contains), schema.minContains, schema.maxContains));
  if (unevaluatedItems !== undefined) checks.push(restKeyword('unevaluatedItems', unevaluatedItems, checkOf(unevaluatedItems), 'unseen'));
  return [...checks, ...uniqueKeyword(schema)];
}

function prefixKeyword(checks: readonly Check[]): Check {
  return (value, at, checking, seen) => {
    const list = value as readonly Json[];
    seen.items = Math.max(seen.items, checks.length);
    return everyItem(checks.slice(0, list.length), (check, index) => checkItem(check, list, index, at, checking), checking);
  };
}

/**
 * A schema for the items from one on: after those with schemas of their own, after those that were looked at, or for all (null). `false` is reported as a list that is
 * too long, but for a list without such items.
 */
function restKeyword(keyword: string, schema: Json, check: Check, after: number | 'unseen' | null): Check {
  return (value, at, checking, seen) => {
    const list = value as readonly Json[];
    const start = after === 'unseen' ? seen.items : (after ?? 0);
    seen.items = Number.POSITIVE_INFINITY;
    if (start >= list.length) return true;
    if (schema === false && after !== null) return miss(checking, at, keyword, `must NOT have more than ${start} items`);
    return everyItem(list.slice(start), (_, index) => checkItem(check, list, start + index, at, checking), checking);
  };
}

function checkItem(check: Check, list: readonly Json[], index: number, at: Place, checking: Checking): boolean {
  return check(list[index] as Json, { above: at, key: index }, checking, nothingSeen());
}

function everyItem<Item>(items: readonly Item[], holds: (item: Item, index: number) => boolean, { findsAll }: Checking): boolean {
  if (!findsAll) return items.every(holds);
  return items.filter((item, index) => !holds(item, index)).length === 0;
}

/** How many items fit. Like ajv, it counts as a look at all items. */
function containsKeyword(schema: Json, check: Check, minContains: Json | undefined, maxContains: Json | undefined): Check {
  const least = (minContains ?? 1) as number;
  const most = maxContains as number | undefined;
  const range = most === undefined ? '' : ` and no more than ${most}`;
  const message = `must contain at least ${least}${range} valid item(s)`;
  const isPlain = schema === true || (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0);
  return (value, at, checking, seen: Seen) => {
    if (least === 0 && most === undefined) return true;
    const list = value as readonly Json[];
    const count = checking.errors.length;
    if (!isPlain) seen.items = Number.POSITIVE_INFINITY;
    let found = 0;
    for (let index = 0; index < list.length; index++) {
      if (checkItem(check, list, index, at, checking)) found += 1;
      if (most === undefined ? found >= least : found > most) break;
    }
    checking.errors.length = count;
    return (found >= least && found <= (most ?? found)) || miss(checking, at, 'contains', message);
  };
}
