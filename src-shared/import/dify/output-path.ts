import type { DifyNode } from './dify-reader.ts';
import type { Place } from './selectors.ts';

/** Where the outputs of a node are: most are fields of its result; a single output is the result itself. */
export function outputPath({ type, key }: Pick<DifyNode, 'type' | 'key'>): Place['path'] {
  switch (type) {
    case 'llm':
    case 'agent':
      return ([, ...rest]) => [key, ...rest];
    case 'template-transform':
    case 'variable-aggregator':
    case 'variable-assigner':
      return ([field, ...rest]) =>
        field === 'output' || field === undefined ? [key, ...rest] : [key, field, ...rest.slice(rest[0] === 'output' ? 1 : 0)];
    case 'http-request':
      return ([field, ...rest]) => [key, field === 'status_code' ? 'status' : (field ?? ''), ...rest];
    case 'question-classifier':
      return ([field]) => [key, field === 'class_id' ? 'id' : 'name'];
    case 'iteration':
      return ([field, ...rest]) => (field === 'item' || field === 'index' ? [field, ...rest] : [key, ...rest]);
    default:
      return (fields) => [key, ...fields];
  }
}
