import type { Json } from '#shared/json.ts';

/** Where in a document: keys and indices from its root. */
export type DocumentPath = readonly (string | number)[];

/** One change of a document, as plain data. */
export type FlowEdit =
  /** Gives a place a value: replaces what is there, else adds the key (objects on the way are made). In a list, the index after the last appends. */
  | { readonly type: 'set'; readonly path: DocumentPath; readonly value: Json }
  /** Takes a key or an item out. Nothing there: nothing happens. */
  | { readonly type: 'remove'; readonly path: DocumentPath }
  /** Puts an item into a list, before the one at this index. */
  | { readonly type: 'insert'; readonly path: DocumentPath; readonly value: Json }
  /** Gives a state another name in schemas, nodes, `input` and `output`. Code that names it is not touched. */
  | { readonly type: 'rename_state'; readonly from: string; readonly to: string };
