import type { BodyOf } from '#main/runtime/bodies/body.ts';
import type { EvaluateBody } from '#main/runtime/plan.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** A function of a trusted workspace's own file. It is never loaded into this process. */
export function evaluateModuleBody(body: BodyOf<'module'>): EvaluateBody {
  return (step) => {
    throw new FlowError(
      'BuildError',
      `${step.node} runs ${body.export} of ${body.file}, and module bodies cannot be run here. Use run or run_file.`,
      {
        node: step.node,
      },
    );
  };
}
