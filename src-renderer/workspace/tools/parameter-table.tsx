import type { JsonSchema } from '#shared/json.ts';
import styles from './parameter-table.module.css';
import { schemaFields, typeOf } from './schema-fields.ts';
import { texts } from './texts.ts';

interface ParameterTableProps {
  readonly title: string;
  readonly schema: JsonSchema;
}

/** The fields of a tool's input or result. */
export function ParameterTable({ title, schema }: ParameterTableProps) {
  const fields = schemaFields(schema);
  if (!fields || fields.length === 0) {
    return <p className={styles.none}>{fields ? texts.parameters.noFields(title) : texts.parameters.scalar(title, typeOf(schema))}</p>;
  }
  return (
    <table className={styles.table}>
      <caption>{title}</caption>
      <thead className="only-heard">
        <tr>
          <th scope="col">{texts.parameters.field}</th>
          <th scope="col">{texts.parameters.type}</th>
          <th scope="col">{texts.parameters.description}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, type, required, description }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {required && title === texts.input && <span className={styles.required}>{texts.parameters.required}</span>}
            </th>
            <td className={styles.type}>{type}</td>
            <td>{description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
