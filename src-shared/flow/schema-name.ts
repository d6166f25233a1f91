/** Names of schemas, and so of states and nodes. `::` is reserved for inlined names. */
export const schemaNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
