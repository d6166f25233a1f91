/** What the handler of an `either` returns: the value of one of its two branches. */
export type Sides<Left, Right> = { readonly left: Left } | { readonly right: Right };

/** Goes to the first branch of an `either`. */
export function left<Value>(value: Value): { readonly left: Value } {
  return { left: value };
}

/** Goes to the second branch of an `either`. */
export function right<Value>(value: Value): { readonly right: Value } {
  return { right: value };
}
