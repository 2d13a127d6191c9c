"""Converts between Qdrant's REST JSON and the engine's Python objects. Covers what the service uses; everything else is an error, never ignored."""
import uuid

import qdrant_edge as edge


class ApiError(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def bad_request(message):
    return ApiError(400, f"Bad request: {message}")


def format_error(message):
    return ApiError(400, f"Format error in JSON body: {message}")


def invalid(message):
    return ApiError(422, f"Validation error in JSON body: [{message}]")


def not_found(message):
    return ApiError(404, f"Not found: {message}")


def unsupported(what):
    return ApiError(501, f"Not implemented by the engine's REST subset: {what}")


def from_engine(error):
    """The engine raises plain exceptions; their text decides which answer the Qdrant server would give."""
    text = str(error).split("\n")[0]
    if isinstance(error, ApiError):
        return error
    if isinstance(error, (ValueError, TypeError, KeyError, AttributeError, OverflowError)):
        return format_error(f"{type(error).__name__}: {text}")
    if text.startswith("No point with id"):
        return not_found(f"{text} found")
    if "Shard is not initialized" in text or "after shutdown" in text:
        return ApiError(503, "Service internal error: the collection is being closed")
    if text.startswith("Service runtime error"):
        return ApiError(500, f"Service internal error: {text}")
    return ApiError(400, f"Wrong input: {text}")


def known(body, allowed, where):
    """The fields that have a value; an error if a field is not in `allowed`."""
    given = {name: value for name, value in body.items() if value is not None}
    if set(given) - set(allowed):
        raise unsupported(f"{sorted(set(given) - set(allowed))} in {where}")
    return given


# Collections

INDEXING_THRESHOLD_KB = 10_000
INDEXES = {
    "keyword": edge.KeywordIndexParams, "integer": edge.IntegerIndexParams, "float": edge.FloatIndexParams,
    "bool": edge.BoolIndexParams, "datetime": edge.DatetimeIndexParams,
}


def collection_params(body):
    vectors = known(known(body, ["vectors"], "a collection")["vectors"], ["size", "distance"], "vectors")
    size = vectors["size"]
    if not isinstance(size, int) or size < 1:
        raise format_error(f"invalid vector size {size}")
    if size > 65536:
        raise invalid(f"vectors.size: value {size} invalid, must be from 1 to 65536")
    if vectors["distance"] not in ("Cosine", "Dot", "Euclid", "Manhattan"):
        raise format_error(f"unknown distance {vectors['distance']}")
    return {"vectors": vectors}


def engine_config(params):
    vectors = params["vectors"]
    return edge.EdgeConfig(
        vectors=edge.EdgeVectorParams(size=vectors["size"], distance=getattr(edge.Distance, vectors["distance"])),
        hnsw_config=edge.HnswIndexConfig(m=16, ef_construct=100, full_scan_threshold=10_000),
        optimizers=edge.EdgeOptimizersConfig(
            deleted_threshold=0.2, vacuum_min_vector_number=1000, default_segment_number=0, indexing_threshold=INDEXING_THRESHOLD_KB))


def index_operation(body):
    schema = body.get("field_schema")
    if schema is None:
        raise bad_request("Can't auto-detect field type, please specify `field_schema` in the request")
    options = {"type": schema} if isinstance(schema, str) else {name: value for name, value in schema.items() if value is not None}
    kind = options.pop("type", None)
    if kind not in INDEXES:
        raise format_error(f"field_schema {schema!r} is not supported")
    return edge.UpdateOperation.create_field_index(body["field_name"], INDEXES[kind](**options))


# Points

def point_id(value):
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    try:
        return str(uuid.UUID(value))
    except (ValueError, TypeError, AttributeError):
        message = f"value {value} is not a valid point ID, valid values are either an unsigned integer or a UUID"
        raise format_error(message) from None


def vector_of(value):
    if value == {}:
        return value  # a point without a vector
    if not isinstance(value, list):
        raise unsupported("a vector that is not a list of numbers")
    if value == []:
        raise invalid("points.vector: dense vector must not be empty")
    return value


def id_json(value):
    return value if value is None or isinstance(value, int) else str(value)


def point_json(point):
    out = {"id": id_json(point.id)}
    if hasattr(point, "score"):
        out |= {"version": point.version, "score": point.score}
    if point.payload is not None:
        out["payload"] = point.payload
    if point.vector is not None:
        out["vector"] = point.vector
    return out


def payload_selector(value, default):
    if isinstance(value, list):
        return edge.PayloadSelector.Include(value)
    if isinstance(value, dict):
        return edge.PayloadSelector.Include(value["include"]) if "include" in value else edge.PayloadSelector.Exclude(value["exclude"])
    return default if value is None else value


# Filters

class EngineBool:
    """The binding reads a Python bool as the integer 1 or 0, which matches no boolean payload. It reads numpy's bool correctly."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value


EngineBool.__name__, EngineBool.__module__ = "bool_", "numpy"

MATCHES = {
    "value": lambda value: edge.MatchValue(EngineBool(value) if isinstance(value, bool) else value),
    "any": edge.MatchAny,
    "except": edge.MatchExcept,
}


def match_of(match):
    (kind, value), = match.items()
    if kind not in MATCHES:
        raise unsupported(f"match `{kind}`")
    return MATCHES[kind](value)


def range_of(bounds):
    given = {name: value for name, value in bounds.items() if value is not None}
    is_time = any(isinstance(value, str) for value in given.values())
    return (edge.RangeDateTime if is_time else edge.RangeFloat)(**given)


def condition_of(one):
    if "key" in one:
        rest = {name: value for name, value in one.items() if name != "key" and value is not None}
        if not rest:
            raise invalid("filter: At least one field condition must be specified")
        known(rest, ["match", "range"], "a field condition")
        return edge.FieldCondition(one["key"], **{name: {"match": match_of, "range": range_of}[name](value) for name, value in rest.items()})
    if "is_empty" in one:
        return edge.IsEmptyCondition(one["is_empty"]["key"])
    if "has_id" in one:
        return edge.HasIdCondition({point_id(value) for value in one["has_id"]})
    return filter_of(one)


def filter_of(body):
    if body is None:
        return None
    given = known(body, ["must", "should", "must_not"], "a filter")
    clauses = {}
    for name, value in given.items():
        clauses[name] = [condition_of(one) for one in (value if isinstance(value, list) else [value])] or None
    return edge.Filter(**clauses)


# Reading

def limit_of(body):
    limit = 10 if body.get("limit") is None else body["limit"]
    if not isinstance(limit, int) or limit < 0:
        raise format_error(f"invalid limit {limit}")
    if limit == 0:
        raise invalid("limit: value 0 invalid, must be 1 or larger")
    return limit


def query_points(shard, body):
    given = known(body, ["query", "limit", "offset", "filter", "params", "score_threshold", "with_payload", "with_vector"], "a query")
    if not isinstance(given.get("query"), list):
        raise unsupported("a query that is not a vector")
    params = known(given.get("params") or {}, ["exact", "hnsw_ef"], "params")
    request = edge.QueryRequest(
        query=edge.Query.Nearest(given["query"], None), filter=filter_of(given.get("filter")), limit=limit_of(given), offset=given.get("offset") or 0,
        prefetches=[], score_threshold=given.get("score_threshold"), with_payload=payload_selector(given.get("with_payload"), False),
        params=edge.SearchParams(hnsw_ef=params.get("hnsw_ef"), exact=bool(params.get("exact")), indexed_only=False),
        with_vector=given.get("with_vector") or False)
    return {"points": [point_json(point) for point in shard.query(request)]}


def query_batch(shard, body):
    given = known(body, ["searches"], "a batch of queries")
    return [query_points(shard, search) for search in given["searches"]]


def scroll_points(shard, body):
    given = known(body, ["offset", "limit", "filter", "with_payload", "with_vector"], "a scroll")
    offset = given.get("offset")
    points, following = shard.scroll(edge.ScrollRequest(
        limit=limit_of(given), offset=None if offset is None else point_id(offset), filter=filter_of(given.get("filter")), order_by=None,
        with_payload=payload_selector(given.get("with_payload"), True), with_vector=given.get("with_vector") or False))
    return {"points": [point_json(point) for point in points], "next_page_offset": id_json(following)}


def retrieve_points(shard, body):
    ids = [point_id(one) for one in body["ids"]]
    found = shard.retrieve(ids, payload_selector(body.get("with_payload"), False), body.get("with_vector") or False)
    return [point_json(point) for point in found]


def count_points(shard, body):
    return {"count": shard.count(edge.CountRequest(body.get("exact") is not False, filter_of(body.get("filter"))))}


# Writing

def check_sizes(kind, body, params):
    """The real server rejects a wrong dimension immediately, also without `wait`."""
    size = params["vectors"]["size"]
    for one in body.get("points") or [] if kind == "upsert" else []:
        if isinstance(one["vector"], list) and len(one["vector"]) != size:
            raise ApiError(400, f"Wrong input: Vector dimension error: expected dim: {size}, got {len(one['vector'])}")


def update_operation(kind, body):
    points = body.get("points")
    if points == []:
        raise bad_request("Empty update request")
    if kind == "upsert":
        given = known(body, ["points", "update_filter"], "an upsert")
        found = [edge.Point(point_id(one["id"]), vector_of(one["vector"]), one.get("payload")) for one in given["points"]]
        return edge.UpdateOperation.upsert_points(found, filter_of(given.get("update_filter")), edge.UpdateMode.Upsert)
    if kind == "delete":
        given = known(body, ["points", "filter"], "a deletion")
        if points is None:
            return edge.UpdateOperation.delete_points_by_filter(filter_of(given["filter"]))
        return edge.UpdateOperation.delete_points([point_id(one) for one in points])
    raise unsupported(f"update operation {kind}")
