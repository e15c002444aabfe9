import { useEffect, useRef, useState } from 'react';

/** Whether somebody tried to use what a form asks for. Each attempt puts the focus on the first field at fault, which may be out of sight. */
export function useTries() {
  const form = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus();
    wrong?.scrollIntoView?.({ block: 'center' });
  }, [tries]);
  return { form, tried: tries > 0, attempt: () => setTries(tries + 1) };
}
