import type { Section } from '#contract/section.ts';
import type { Body } from './fake-store.ts';
import type { Routes } from './routes.ts';
import { ok, Refused } from './wire.ts';

/** Endpoints for a list section. */
export function sectionRoutes(routes: Routes, section: Section): void {
  const { list, create, update, remove } = section.endpoints;
  const fieldsOf = (json: Body) =>
    Object.fromEntries(Object.entries(json).filter(([field]) => field in section.fields));
  routes.add(list.method, list.path, (call, profileId) => {
    routes.ownProfile(call, profileId);
    return ok(routes.store.rowsOf(section.key, profileId!).map((row) => routes.present(row)));
  });
  if (create) {
    routes.add(create.method, create.path, (call) => {
      const profile = routes.ownProfile(call, call.json['profile_id']);
      const fields = fieldsOf(call.json);
      for (const [name, field] of Object.entries(section.fields)) {
        if (field.required && fields[name] == null) throw new Refused(422, 'Check', { [name]: [field.missing] });
      }
      const [only] = section.maxItems === 1 ? routes.store.rowsOf(section.key, profile.id) : [];
      if (only) {
        const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
        const replaces = Object.entries(filled).some(
          ([field, value]) => only.body[field] != null && only.body[field] !== value,
        );
        if (replaces && routes.expectsNoRecord(call)) return routes.toVersionConflict(only);
        routes.store.change(only, filled, call.device);
        return ok({ message: section.savedText, data: routes.present(only) });
      }
      const known = routes.findByClientId(call, section.key);
      if (known) return ok({ message: 'Already there', data: routes.present(known) });
      const row = routes.store.insert(
        {
          type: section.key,
          id: routes.store.newId(),
          userId: call.userId,
          profileId: profile.id,
          body: fields,
          clientId: routes.clientIdOf(call),
        },
        call.device,
      );
      return ok({ message: section.savedText, data: routes.present(row) }, 201);
    });
  }
  if (update) {
    const options = { isExtension: update.isExtension ?? false };
    routes.add(
      update.method,
      update.path,
      (call, id) => {
        const row = routes.ownRow(call, section.key, section.noun, id);
        const conflict = routes.checkVersion(call, row);
        if (conflict) return conflict;
        routes.store.change(row, fieldsOf(call.json), call.device);
        return ok({ message: section.savedText, data: routes.present(row) });
      },
      options,
    );
  }
  if (remove) {
    routes.add(remove.method, remove.path, (call, id) => {
      const row = routes.ownRow(call, section.key, section.noun, id);
      const conflict = routes.checkVersion(call, row);
      if (conflict) return conflict;
      routes.store.remove(row, call.device);
      return ok({ message: 'Deleted' });
    });
  }
}
