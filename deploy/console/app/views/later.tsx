/**
 * The views that the browser loads when one of them opens for the first time: they are opened more seldom, or are
 * large.
 */
import { GraphView } from '../graph/graph-view.js';
import type { Route } from '../service/route.js';
import { EntitiesView } from './entities/entities.js';
import { EntityView } from './entities/entity.js';
import { KeysView } from './keys.js';
import { NewMemoryView } from './new-memory.js';
import { TenantsView } from './tenants.js';
import { WebhookView } from './webhook.js';
import { WebhooksView } from './webhooks.js';

export type LaterRoute = Route & { readonly view: 'entities' | 'graph' | 'webhooks' | 'keys' | 'tenants' | 'new' };

export function LaterView({ view, id, parameters }: LaterRoute) {
  switch (view) {
    case 'entities': {
      if (id === null) return <EntitiesView parameters={parameters} />;
      const category = parameters['category'] ?? '';
      return <EntityView key={`${id} ${category}`} slug={id} category={category} />;
    }
    case 'graph':
      return <GraphView id={id} parameters={parameters} />;
    case 'webhooks':
      return id === null ? <WebhooksView /> : <WebhookView key={id} id={id} />;
    case 'keys':
      return <KeysView />;
    case 'tenants':
      return <TenantsView />;
    case 'new':
      return <NewMemoryView parameters={parameters} />;
  }
}
