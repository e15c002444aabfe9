/** Issues of a schema as one message per field, by the last part of their path; refinements of the whole under ''. */
export function messagesByField(
  issues: readonly { path: readonly PropertyKey[]; message: string; code?: string }[],
): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, message } of issues) messages[String(path.at(-1) ?? '')] ??= message;
  return messages;
}
