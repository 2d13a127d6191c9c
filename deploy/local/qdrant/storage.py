"""The collections and aliases of one directory. A collection has one engine shard and one thread that applies its writes in order."""
import json
import logging
import os
import re
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import qdrant_edge as edge

import rest_json as rest

QUIET_S, FLUSH_S = 2.0, 5.0
log = logging.getLogger("qdrant-edge")


def write_json(path, value):
    temporary = path.with_suffix(".tmp")
    with open(temporary, "w") as file:
        json.dump(value, file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


class Collection:
    def __init__(self, path, params=None):
        self.path, self.params_file = path, path / "collection.json"
        if params is None:
            self.params = json.loads(self.params_file.read_text())
            self.shard = edge.EdgeShard.load(str(path / "shard"))
        else:
            (path / "shard").mkdir(parents=True)
            self.params = params
            self.shard = edge.EdgeShard.create(str(path / "shard"), rest.engine_config(params))
            write_json(self.params_file, params)  # last: a directory without this file is unfinished
        self.writer, self.operations = ThreadPoolExecutor(max_workers=1), 0
        self.used_at = self.written_at = self.flushed_at = time.monotonic()
        self.is_optimized = False

    def apply(self, items, wait):
        """An unreadable item rejects all items. When an item fails, the items before it stay applied."""
        operations = [rest.update_operation(kind, body) for kind, body in items]
        results = []
        for (kind, body), operation in zip(items, operations):
            rest.check_sizes(kind, body, self.params)
            results.append(self.update(operation, wait))
        return results

    def update(self, operation, wait):
        done = self.writer.submit(self._update, operation)
        if wait:
            done.result()
        else:
            done.add_done_callback(lambda it: it.exception() and log.error("a write accepted without wait failed: %s", it.exception()))
        self.operations += 1
        return {"operation_id": self.operations, "status": "completed" if wait else "acknowledged"}

    def _update(self, operation):
        self.shard.update(operation)
        self.used_at = self.written_at = time.monotonic()
        self.is_optimized = False

    def read(self, handler, body):
        self.used_at = time.monotonic()
        return handler(self.shard, body)

    def maintain(self, build_hnsw):
        now = time.monotonic()
        if self.written_at > self.flushed_at and now > self.flushed_at + FLUSH_S:
            self.writer.submit(self.shard.flush).result()
            self.flushed_at = now
        if build_hnsw and now > self.used_at + QUIET_S and not self.is_optimized and self._waits_for_hnsw():
            self.writer.submit(self.shard.optimize).result()
            self.is_optimized = True

    def _waits_for_hnsw(self):
        info = self.shard.info()
        unindexed = info.points_count - info.indexed_vectors_count
        return unindexed * self.params["vectors"]["size"] * 4 / 1024 > rest.INDEXING_THRESHOLD_KB

    def info(self):
        info = self.shard.info()
        schema = {name: {"data_type": str(one.data_type).split(".")[-1].lower(), "points": one.points} for name, one in info.payload_schema.items()}
        return {
            "status": "green", "optimizer_status": "ok", "segments_count": info.segments_count, "points_count": info.points_count,
            "indexed_vectors_count": info.indexed_vectors_count, "payload_schema": schema, "config": {"params": self.params},
        }

    def close(self):
        self.writer.shutdown(wait=True)
        self.shard.close()


class Storage:
    def __init__(self, root):
        self.folder, self.aliases_file, self.lock = root / "collections", root / "aliases.json", threading.RLock()
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in list(self.folder.iterdir()):
            if not (path / "collection.json").exists():
                shutil.rmtree(path)
        self.collections = {path.name: Collection(path) for path in sorted(self.folder.iterdir())}
        self.aliases = json.loads(self.aliases_file.read_text()) if self.aliases_file.exists() else {}

    def get(self, name):
        found = self.collections.get(self.aliases.get(name, name))
        if found is None:
            raise rest.not_found(f"Collection `{name}` doesn't exist!")
        return found

    def exists(self, name):
        return {"exists": self.aliases.get(name, name) in self.collections}

    def names(self):
        return {"collections": [{"name": name} for name in sorted(self.collections)]}

    def create(self, name, body):
        params = rest.collection_params(body)
        with self.lock:
            if name in self.collections:
                raise rest.ApiError(409, f"Wrong input: Collection `{name}` already exists!")
            if name in self.aliases:
                raise rest.ApiError(400, f"Wrong input: Can't create collection with name {name}. Alias with the same name already exists")
            if name in (".", "..") or not 1 <= len(name) <= 255 or re.search(r'[<>:"/\\|?*\0\x1f]', name):
                raise rest.ApiError(422, f"Validation error in path parameters: [collection_name: {name}]")
            try:
                self.collections[name] = Collection(self.folder / name, params)
            except Exception:
                shutil.rmtree(self.folder / name, ignore_errors=True)
                raise
            return True

    def delete(self, name):
        with self.lock:
            collection = self.collections.pop(name, None)
            if collection is None:
                return False
            self._set_aliases({alias: target for alias, target in self.aliases.items() if target != name})
            collection.close()
            collection.params_file.unlink()  # from here on the directory counts as unfinished, also after a crash
            shutil.rmtree(collection.path)
            return True

    def aliases_of(self, name=None):
        found = [{"alias_name": alias, "collection_name": target} for alias, target in sorted(self.aliases.items()) if name in (None, target)]
        return {"aliases": found}

    def change_aliases(self, actions):
        """Readers see no intermediate state. The actions before a rejected one stay applied, as on the real server."""
        items = [item for action in actions for item in action.items()]
        for kind, _ in items:
            if kind not in ("create_alias", "delete_alias"):
                raise rest.unsupported(f"alias action `{kind}`")
        with self.lock:
            aliases = dict(self.aliases)
            try:
                for kind, body in items:
                    self._change_alias(aliases, kind, body)
            finally:
                self._set_aliases(aliases)
            return True

    def _change_alias(self, aliases, kind, body):
        alias = body["alias_name"]
        if kind == "delete_alias":
            aliases.pop(alias, None)
            return
        if body["collection_name"] not in self.collections:
            raise rest.not_found(f"Collection `{body['collection_name']}` doesn't exist!")
        if alias in self.collections:
            raise rest.ApiError(409, f"Wrong input: Collection `{alias}` already exists!")
        aliases[alias] = body["collection_name"]

    def _set_aliases(self, aliases):
        write_json(self.aliases_file, aliases)
        self.aliases = aliases

    def maintain(self, build_hnsw):
        for collection in list(self.collections.values()):
            try:
                collection.maintain(build_hnsw)
            except Exception as error:
                log.warning("maintenance of %s failed: %s", collection.path.name, error)

    def close(self):
        for collection in self.collections.values():
            collection.close()
