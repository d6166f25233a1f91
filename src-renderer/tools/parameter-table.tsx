import type { JsonSchema } from '#shared/json.ts';
import styles from './parameter-table.module.css';
import { schemaFields, typeOf } from './schema-fields.ts';

interface ParameterTableProps {
  readonly title: string;
  readonly schema: JsonSchema;
}

/** The fields that a tool takes or gives. */
export function ParameterTable({ title, schema }: ParameterTableProps) {
  const fields = schemaFields(schema);
  if (!fields || fields.length === 0) {
    return (
      <p className={styles.none}>
        {title}: {fields ? 'no fields' : typeOf(schema)}
      </p>
    );
  }
  return (
    <table className={styles.table}>
      <caption>{title}</caption>
      <thead className="only-heard">
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">What it is</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, type, required, description }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {required && title === 'Input' && <span className={styles.required}>needed</span>}
            </th>
            <td className={styles.type}>{type}</td>
            <td>{description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
