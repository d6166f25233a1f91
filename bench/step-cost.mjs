// node bench/step-cost.mjs [ROUNDS] (after `npm run build -- runtime`): what a step costs in chains of 100 to 100,000 nodes, in processor time of the
// thread, so that other programs on the machine count little. The lengths follow each other within a round.
const runtime = await import(new URL('../out/runtime/index.js', import.meta.url).href);
const LENGTHS = [100, 1000, 10_000, 100_000];
const STEPS_PER_SAMPLE = 20_000;

const { createContext, defineFlow, FlowRuntime, jsonSchema, state } = runtime;
const ctx = await createContext();
const Count = jsonSchema({ type: 'object', properties: { i: { type: 'number' } }, required: ['i'] });
const flows = LENGTHS.map(chainOf);

/** @param {number} length */
function chainOf(length) {
  const states = Array.from({ length: length + 1 }, (_, index) => state(`S${index}`, Count));
  let flow = defineFlow({ input: states[0], output: states[length], limits: { steps: length } });
  for (const [index, to] of states.slice(1).entries())
    flow = flow.work(states[index], to, (/** @type {{ i: number }} */ s) => ({ i: s.i + 1 }));
  return flow.build();
}

/**
 * Nanoseconds a step.
 * @param {number} at
 */
async function sample(at) {
  const length = LENGTHS[at] ?? 1;
  const runs = Math.max(1, STEPS_PER_SAMPLE / length);
  const before = process.threadCpuUsage();
  for (let index = 0; index < runs; index += 1) {
    const run = FlowRuntime.new(flows[at], { i: 0 });
    for (let step = await run.next(ctx); step.type !== 'done'; ) step = await run.next(ctx);
  }
  const { user, system } = process.threadCpuUsage(before);
  return ((user + system) * 1000) / (runs * length);
}

const rounds = Number(process.argv[2] ?? 30);
/** @type {number[][]} */
const samples = LENGTHS.map(() => []);
for (let round = 0; round < rounds; round += 1) {
  for (const at of LENGTHS.keys()) samples[at]?.push(await sample(at));
}
const ratios = LENGTHS.map((_, at) => (samples[at] ?? []).map((time, round) => time / (samples[0]?.[round] ?? 1)));
const middle = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
for (const [at, length] of LENGTHS.entries()) {
  const times = samples[at] ?? [];
  console.log(
    `${String(length).padStart(7)} nodes: ${Math.min(...times).toFixed(0)} ns a step at least, ${middle(times).toFixed(0)} ns in the median, ` +
      `${middle(ratios[at] ?? []).toFixed(2)} times the cost at ${LENGTHS[0]}`,
  );
}
