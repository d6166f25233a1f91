/** Three nodes that add one each: the same as the workflow and the graph of the peers. */
export const addFlow = `pravah: 1
name: add
input: A
output: D
schemas:
  A: &n { type: object, properties: { n: { type: number } }, required: [n] }
  B: *n
  C: *n
  D: *n
nodes:
  - { kind: work, from: A, to: B, expr: "{ n: n + 1 }" }
  - { kind: work, from: B, to: C, expr: "{ n: n + 1 }" }
  - { kind: work, from: C, to: D, expr: "{ n: n + 1 }" }
`;

/** Counts for as long as it is stepped. */
export const countFlow = `pravah: 1
name: count
input: Counter
output: Done
limits: { steps: 1000000 }
schemas:
  Counter: { type: object, properties: { n: { type: number } }, required: [n] }
  Done: { type: object, properties: { n: { type: number } }, required: [n] }
  Next: { type: object, properties: { n: { type: number } }, required: [n] }
nodes:
  - { kind: either, from: Counter, to: [Done, Next], expr: "n >= 100000" }
  - { kind: work, from: Next, to: Counter, expr: "{ n: n + 1 }" }
`;

/** Asks a model this many times: rounds of two steps and seven events. */
export const pacedFlow = (port: number, rounds: number): string => `pravah: 1
name: paced
input: Counter
output: Done
limits: { steps: 100000 }
schemas:
  Counter: &n { type: object, properties: { n: { type: number } }, required: [n] }
  Done: *n
  Next: *n
nodes:
  - { kind: either, from: Counter, to: [Done, Next], expr: "n >= ${rounds}" }
  - { kind: agent, from: Next, to: Counter, agent: { model: "ollama://127.0.0.1:${port}/m", prompt: "After {n}?" } }
`;
