/**
 * React's development build asks for a task for every element it makes, so that a debugger shows where an element comes from. No test looks at one,
 * and they took a sixth of the time. Must be gone before React is loaded.
 */
Object.assign(console, { createTask: undefined });
const { configure } = await import('@testing-library/react');
// Of a busy machine. A test that passes takes no longer for it.
configure({ asyncUtilTimeout: 60_000 });

export {};
