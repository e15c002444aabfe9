import { Link, Route, Switch, useLocation } from 'wouter';
import { EmptyState, Page, TableSkeleton } from '../ui/index.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ShownView } from './lazyView.ts';
import { ROUTES } from './routes.ts';

/** The view that the address names. */
export function Views() {
  const [path] = useLocation();
  return (
    <main id="main" className="kp-main" tabIndex={-1}>
      <ErrorBoundary place={path}>
        <Switch>
          {ROUTES.map(({ path: pattern, view }) => (
            <Route key={pattern} path={pattern}>
              <ShownView key={pattern} view={view} waiting={<Loading />} />
            </Route>
          ))}
          <Route>
            <NoSuchPlace />
          </Route>
        </Switch>
      </ErrorBoundary>
    </main>
  );
}

const Loading = () => (
  <Page>
    <TableSkeleton />
  </Page>
);

const NoSuchPlace = () => (
  <EmptyState title="Page not found" action={<Link href="/">Open the library</Link>}>
    It may have been deleted, or the link is incomplete.
  </EmptyState>
);
