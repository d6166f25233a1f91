import { studio } from '#main/services/implementer.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { builtInTools } from '#main/tools/catalogue.ts';
import type { Json } from '#shared/json.ts';

/** The tools that flows of the open folder can call. */
export function toolsRouter(current: CurrentFolder) {
  return {
    list: studio.tools.list.handler(async () => {
      const session = await current.required();
      const { approve } = await session.settings();
      return [...builtInTools().values()].map(({ name, description, input_schema, effect, approve: policy }) => ({
        name,
        description,
        input_schema: input_schema as Json,
        effect,
        asks: policy === 'always' || approve[name] === 'always',
      }));
    }),
  };
}
