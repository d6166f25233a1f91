import Form from '@rjsf/core';
import { Theme } from '@rjsf/mantine';
import type { ArrayFieldTitleProps, RJSFSchema, TitleFieldProps } from '@rjsf/utils';
import { useMemo, useState } from 'react';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import type { FieldFault } from './field-faults.ts';
import { fieldSettings } from './field-settings.ts';
import { errorTree, formValidator } from './form-validator.ts';
import styles from './schema-form.module.css';

interface SchemaFormProps {
  /** Id of the form element; a submit button anywhere on the page names it in its `form`. */
  readonly id: string;
  /** What is edited: labels a value without fields of its own. */
  readonly label: string;
  readonly schema: JsonSchema;
  readonly value: Json | undefined;
  /** Faults that the engine found, shown at their fields beside the form's own. */
  readonly faults: readonly FieldFault[];
  /** Whether the schema's defaults are filled in. Not for the review of a value that someone else wrote. */
  readonly defaults: boolean;
  readonly disabled?: boolean;
  onChange(value: Json | undefined): void;
  /** Called with a valid value. */
  onSubmit(value: Json): void;
}

function SectionTitle({ id, title }: TitleFieldProps<unknown, RJSFSchema>) {
  return title ? (
    <div id={id} className={styles.section}>
      {title}
    </div>
  ) : null;
}

function ListTitle({ title }: ArrayFieldTitleProps<unknown, RJSFSchema>) {
  return title ? <span className={styles.section}>{title}</span> : null;
}

const templates = { ...Theme.templates, TitleFieldTemplate: SectionTitle, ArrayFieldTitleTemplate: ListTitle };

/** The engine rejects what a schema does not allow; fill in nothing that the author did not ask for. */
const noDefaults = { emptyObjectFields: 'skipDefaults', arrayMinItems: { populate: 'never' }, constAsDefaults: 'never' } as const;

function isSingleField(schema: JsonSchema): boolean {
  return isJsonObject(schema) && typeof schema.type === 'string' && schema.type !== 'object' && schema.type !== 'array';
}

/** A form made from a JSON Schema. */
export function SchemaForm({ id, label, schema, value, faults, defaults, disabled, onChange, onSubmit }: SchemaFormProps) {
  // Settings depend only on the first value, so that a field does not change its kind while the user types.
  const [first] = useState(value);
  const title = isSingleField(schema) ? label : '';
  const uiSchema = useMemo(() => ({ ...fieldSettings(schema, first), 'ui:title': title }), [schema, first, title]);
  const extraErrors = useMemo(() => errorTree(faults), [faults]);
  return (
    <Form<unknown, RJSFSchema>
      id={id}
      idPrefix={id}
      className={styles.form}
      schema={schema as RJSFSchema}
      uiSchema={uiSchema}
      formData={value}
      validator={formValidator}
      templates={templates}
      widgets={Theme.widgets}
      extraErrors={extraErrors}
      showErrorList={false}
      focusOnFirstError
      noHtml5Validate
      disabled={disabled}
      experimental_defaultFormStateBehavior={defaults ? undefined : noDefaults}
      // Errors appear at their fields; without this the library also writes them to the console.
      onError={() => undefined}
      onChange={({ formData }) => onChange(formData as Json | undefined)}
      onSubmit={({ formData }, event) => {
        event.preventDefault();
        onSubmit(formData as Json);
      }}
    />
  );
}
