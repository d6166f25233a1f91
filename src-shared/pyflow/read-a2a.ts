import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { Fields } from './fields.ts';
import type { ReportImport } from './import-problem.ts';

/** Reads the `a2a` section, which becomes the agent card. */
export function readA2a(value: JsonObject | null, report: ReportImport): JsonObject | null {
  if (!value) return null;
  const fields = new Fields(value, ['a2a'], 'the a2a section', report);
  fields.text('version');
  const skills = fields.list('skills') ?? [];
  for (const [index, skill] of skills.entries()) readSkill(skill, index, report);
  fields.ignored();
  return value;
}

function readSkill(value: Json, index: number, report: ReportImport): void {
  const path = ['a2a', 'skills', index];
  if (!isJsonObject(value)) {
    report('pyflow_format', path, 'A skill must be an object with "id" and "name".');
    return;
  }
  const fields = new Fields(value, path, `the skill number ${index + 1}`, report);
  fields.requiredText('id');
  fields.requiredText('name');
  fields.text('description');
  fields.texts('tags');
  fields.ignored();
}
