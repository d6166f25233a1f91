/** The return value of an `either` handler: the value of one of its two branches. */
export type Sides<Left, Right> = { readonly left: Left } | { readonly right: Right };

/** Chooses the first branch of an `either`. */
export function left<Value>(value: Value): { readonly left: Value } {
  return { left: value };
}

/** Chooses the second branch of an `either`. */
export function right<Value>(value: Value): { readonly right: Value } {
  return { right: value };
}
