"""The types and operations of the HTTP API. `npm run docs:python` makes this file from the OpenAPI document."""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Literal, TypedDict, Union, cast

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypeAlias, Unpack
else:
    from typing_extensions import NotRequired, TypeAlias, Unpack

OPERATIONS = (
    "store_memory",
    "store_batch",
    "list_by_tag",
    "delete_by_tag",
    "list_memories",
    "get_memory",
    "update_memory",
    "delete_memory",
    "associate",
    "list_neighbours",
    "list_related",
    "snapshot_graph",
    "graph_stats",
    "read_overview",
    "analyze_memories",
    "startup_recall",
    "list_graph_types",
    "list_graph_relations",
    "merge_entity",
    "unmerge_entity",
    "list_entities",
    "list_merge_candidates",
    "get_entity",
    "audit_entities",
    "recall",
    "reprocess",
    "list_events",
    "list_history",
    "stream",
    "stream_status",
    "list_dead_letters",
    "redrive_dead_letters",
    "discard_dead_letters",
    "list_projectors",
    "read_activity",
    "pause_projector",
    "resume_projector",
    "list_jobs",
    "get_job",
    "rebuild_graph",
    "sync_index",
    "reembed",
    "rebuild_vectors",
    "rollback_vectors",
    "backup",
    "import_records",
    "create_webhook",
    "list_webhooks",
    "get_webhook",
    "update_webhook",
    "delete_webhook",
    "rotate_webhook_secret",
    "replay_webhook",
    "list_webhook_deliveries",
    "create_key",
    "list_keys",
    "rotate_key",
    "revoke_key",
    "create_tenant",
    "list_tenants",
    "update_tenant",
    "delete_tenant",
    "create_tenant_key",
    "consolidate",
    "consolidation_status",
    "restore_memory",
    "enrichment_status",
    "health",
    "index",
    "livez",
    "readyz",
    "openapi",
)

class StoreMemoryBody(TypedDict):
    content: str
    type: NotRequired[Union[Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context"], Literal["decision", "pattern", "preference", "style", "habit", "insight", "context", "memory", "milestone", "document", "meeting_notes", "project", "timeline", "organization", "person", "personal_situation", "practical_info", "analysis", "observation", "issue", "legal_analysis", "template", "interests", "personality", "emotional_patterns", "relationship_dynamics", "communication", "health_habits"], None]]
    confidence: NotRequired[Union[float, bool, str, None]]
    tags: NotRequired[Union[List[str], str, None]]
    importance: NotRequired[Union[float, bool, str, None]]
    metadata: NotRequired[Union[Dict[str, Any], None]]
    timestamp: NotRequired[Union[str, None]]
    embedding: NotRequired[Union[List[float], str, None]]
    t_valid: NotRequired[Union[str, None]]
    t_invalid: NotRequired[Union[str, None]]
    updated_at: NotRequired[Union[str, None]]
    last_accessed: NotRequired[Union[str, None]]


class StoreMemoryReply(TypedDict):
    status: Literal["success"]
    memory_id: str
    stored_at: str
    type: str
    confidence: float
    qdrant: Literal["stored", "failed", "queued", "unconfigured", None]
    embedding_status: Literal["provided", "queued", "skipped"]
    enrichment: str
    metadata: Dict[str, Any]
    timestamp: str
    updated_at: str
    last_accessed: str
    query_time_ms: float
    summarized: NotRequired[bool]
    original_length: NotRequired[int]
    summarized_length: NotRequired[int]
    warnings: NotRequired[List[str]]


class Problem(TypedDict):
    status: Literal["error"]
    code: int
    message: str
    error: str
    detail: NotRequired[str]
    hint: NotRequired[str]
    field: NotRequired[str]
    revision: NotRequired[int]
    request_id: NotRequired[str]


class BatchItem(TypedDict):
    content: str
    type: NotRequired[Union[Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context"], Literal["decision", "pattern", "preference", "style", "habit", "insight", "context", "memory", "milestone", "document", "meeting_notes", "project", "timeline", "organization", "person", "personal_situation", "practical_info", "analysis", "observation", "issue", "legal_analysis", "template", "interests", "personality", "emotional_patterns", "relationship_dynamics", "communication", "health_habits"], None]]
    confidence: NotRequired[Union[float, bool, str, None]]
    tags: NotRequired[Union[List[str], str, None]]
    importance: NotRequired[Union[float, bool, str, None]]
    metadata: NotRequired[Union[Dict[str, Any], None]]
    timestamp: NotRequired[Union[str, None]]


class StoreBatchBody(TypedDict):
    memories: List[BatchItem]


class StoreBatchReply(TypedDict):
    status: Literal["success"]
    stored: int
    memory_ids: List[str]
    qdrant: str
    enrichment: str
    query_time_ms: float
    warnings: NotRequired[List[str]]


class Memory(TypedDict):
    id: str
    content: str
    type: Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context", "MetaPattern"]
    confidence: float
    tags: List[str]
    tag_prefixes: List[str]
    importance: float
    metadata: Dict[str, Any]
    timestamp: str
    updated_at: str
    last_accessed: str
    t_valid: NotRequired[str]
    t_invalid: NotRequired[str]
    summary: NotRequired[str]
    enriched: bool
    enriched_at: NotRequired[str]
    processed: bool
    entities: NotRequired[Dict[str, List[str]]]
    relevance_score: NotRequired[float]
    archived: NotRequired[bool]
    archived_at: NotRequired[str]
    protected: NotRequired[bool]
    protected_reason: NotRequired[str]


class Consistency(TypedDict):
    position: int
    index: bool
    graph: bool
    waited_ms: float


class ListByTagReply(TypedDict):
    status: Literal["success"]
    tags: List[str]
    count: int
    limit: int
    offset: int
    has_more: bool
    memories: List[Memory]
    consistency: NotRequired[Consistency]
    warnings: NotRequired[List[str]]


class ListMemoriesReplyFacetsTypesItem(TypedDict):
    type: str
    count: int


class ListMemoriesReplyFacetsTagsItem(TypedDict):
    tag: str
    count: int


ListMemoriesReplyFacetsTimesCountsItem = TypedDict(
    "ListMemoriesReplyFacetsTimesCountsItem",
    {
        "from": "str",
        "count": "int",
    },
)


class ListMemoriesReplyFacetsTimes(TypedDict):
    unit: Literal["day", "week", "month", "year"]
    counts: List[ListMemoriesReplyFacetsTimesCountsItem]


class ListMemoriesReplyFacets(TypedDict):
    types: List[ListMemoriesReplyFacetsTypesItem]
    tags: List[ListMemoriesReplyFacetsTagsItem]
    times: ListMemoriesReplyFacetsTimes
    total: int
    counted: int
    is_partial: bool


class ListMemoriesReply(TypedDict):
    status: Literal["success"]
    memories: List[Memory]
    next_cursor: Union[str, None]
    facets: NotRequired[ListMemoriesReplyFacets]
    consistency: NotRequired[Consistency]
    warnings: NotRequired[List[str]]


class DeleteByTagReply(TypedDict):
    status: Literal["success"]
    tags: List[str]
    deleted_count: int
    warnings: NotRequired[List[str]]


class MemorySummary(TypedDict):
    id: str
    type: NotRequired[str]
    timestamp: NotRequired[str]
    summary: NotRequired[str]
    content: NotRequired[str]
    importance: NotRequired[float]
    confidence: NotRequired[float]
    tags: NotRequired[List[str]]


Relation = TypedDict(
    "Relation",
    {
        "type": "str",
        "direction": "Literal[\"outgoing\", \"incoming\"]",
        "strength": "float",
        "created_at": "str",
        "memory": "MemorySummary",
        "updated_at": "NotRequired[str]",
        "kind": "NotRequired[str]",
        "from": "NotRequired[str]",
        "properties": "NotRequired[Dict[str, Any]]",
    },
)


class GetMemoryReplyMemory(TypedDict):
    id: str
    content: str
    type: Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context", "MetaPattern"]
    confidence: float
    tags: List[str]
    tag_prefixes: List[str]
    importance: float
    metadata: Dict[str, Any]
    timestamp: str
    updated_at: str
    last_accessed: str
    t_valid: NotRequired[str]
    t_invalid: NotRequired[str]
    summary: NotRequired[str]
    enriched: bool
    enriched_at: NotRequired[str]
    processed: bool
    entities: NotRequired[Dict[str, List[str]]]
    relevance_score: NotRequired[float]
    archived: NotRequired[bool]
    archived_at: NotRequired[str]
    protected: NotRequired[bool]
    protected_reason: NotRequired[str]
    relations: List[Relation]


class GetMemoryReply(TypedDict):
    status: Literal["success"]
    memory: GetMemoryReplyMemory
    warnings: NotRequired[List[str]]


class UpdateMemoryBody(TypedDict):
    content: NotRequired[Union[str, None]]
    type: NotRequired[Union[Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context"], Literal["decision", "pattern", "preference", "style", "habit", "insight", "context", "memory", "milestone", "document", "meeting_notes", "project", "timeline", "organization", "person", "personal_situation", "practical_info", "analysis", "observation", "issue", "legal_analysis", "template", "interests", "personality", "emotional_patterns", "relationship_dynamics", "communication", "health_habits"], None]]
    confidence: NotRequired[Union[float, bool, str, None]]
    tags: NotRequired[Union[Union[List[str], None], str]]
    importance: NotRequired[Union[float, bool, str, None]]
    metadata: NotRequired[Union[Dict[str, Any], None]]
    timestamp: NotRequired[Union[str, None]]
    t_valid: NotRequired[Union[str, None]]
    t_invalid: NotRequired[Union[str, None]]
    updated_at: NotRequired[Union[str, None]]
    last_accessed: NotRequired[Union[str, None]]


class UpdateMemoryReply(TypedDict):
    status: Literal["success"]
    memory_id: str
    warnings: NotRequired[List[str]]


class DeleteMemoryReply(TypedDict):
    status: Literal["success"]
    memory_id: str
    warnings: NotRequired[List[str]]


class AssociationItem(TypedDict):
    memory1_id: str
    memory2_id: str
    type: str
    strength: NotRequired[Union[float, bool, str, None]]
    properties: NotRequired[Union[Dict[str, Any], None]]
    context: NotRequired[Union[str, None]]
    reason: NotRequired[Union[str, None]]
    pattern_type: NotRequired[Union[str, None]]
    resolution: NotRequired[Union[str, None]]
    timestamp: NotRequired[Union[str, None]]
    transformation: NotRequired[Union[str, None]]
    role: NotRequired[Union[str, None]]
    confidence: NotRequired[Union[float, None]]
    observations: NotRequired[Any]


class AssociationBatch(TypedDict):
    associations: List[AssociationItem]


class AssociatedPair(TypedDict):
    status: Literal["success"]
    message: str
    relation_type: str
    strength: float
    context: NotRequired[str]
    reason: NotRequired[str]
    pattern_type: NotRequired[str]
    resolution: NotRequired[str]
    timestamp: NotRequired[str]
    transformation: NotRequired[str]
    role: NotRequired[str]
    confidence: NotRequired[float]
    observations: NotRequired[Any]
    warnings: NotRequired[List[str]]


class AssociatedBatchSucceededItem(TypedDict):
    index: int
    memory1_id: str
    memory2_id: str
    relation_type: str
    strength: float


class AssociatedBatchFailedItem(TypedDict):
    index: int
    reason: str


class AssociatedBatch(TypedDict):
    status: Literal["success", "partial_success"]
    created_count: int
    failed_count: int
    summary: str
    succeeded: List[AssociatedBatchSucceededItem]
    failed: List[AssociatedBatchFailedItem]
    warnings: NotRequired[List[str]]


class ListNeighboursReplyCenter(TypedDict):
    id: str
    content: str
    type: Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context", "MetaPattern"]
    confidence: float
    tags: List[str]
    tag_prefixes: List[str]
    importance: float
    metadata: Dict[str, Any]
    timestamp: str
    updated_at: str
    last_accessed: str
    t_valid: NotRequired[str]
    t_invalid: NotRequired[str]
    summary: NotRequired[str]
    enriched: bool
    enriched_at: NotRequired[str]
    processed: bool
    entities: NotRequired[Dict[str, List[str]]]
    relevance_score: NotRequired[float]
    archived: NotRequired[bool]
    archived_at: NotRequired[str]
    protected: NotRequired[bool]
    protected_reason: NotRequired[str]
    color: str


class ListNeighboursReplyGraphNeighborsItem(TypedDict):
    id: str
    content: str
    type: str
    importance: float
    confidence: float
    tags: List[str]
    timestamp: str
    color: str
    radius: float
    opacity: float


class ListNeighboursReplySemanticNeighborsItem(TypedDict):
    id: str
    content: str
    type: str
    importance: float
    confidence: float
    tags: List[str]
    timestamp: str
    color: str
    radius: float
    opacity: float
    similarity: float


class ListNeighboursReplyEdgesItem(TypedDict):
    id: str
    source: str
    target: str
    type: str
    strength: float
    color: str


class ListNeighboursReplyMeta(TypedDict):
    depth: int
    query_time_ms: float
    truncated: bool
    semantic: Literal["searched", "no_vector", "unavailable", "off"]


class ListNeighboursReply(TypedDict):
    center: ListNeighboursReplyCenter
    graph_neighbors: List[ListNeighboursReplyGraphNeighborsItem]
    semantic_neighbors: List[ListNeighboursReplySemanticNeighborsItem]
    edges: List[ListNeighboursReplyEdgesItem]
    meta: ListNeighboursReplyMeta
    warnings: NotRequired[List[str]]


class ListRelatedReply(TypedDict):
    status: Literal["success"]
    memory_id: str
    count: int
    related_memories: List[MemorySummary]
    relationship_types: List[str]
    max_depth: int
    limit: int
    truncated: bool
    warnings: NotRequired[List[str]]


class SnapshotGraphReplyNodesItem(TypedDict):
    id: str
    content: str
    type: str
    importance: float
    confidence: float
    tags: List[str]
    timestamp: str
    color: str
    radius: float
    opacity: float
    updated_at: str
    metadata: Dict[str, Any]


class SnapshotGraphReplyEdgesItem(TypedDict):
    id: str
    source: str
    target: str
    type: str
    strength: float
    color: str
    properties: Dict[str, Any]


class SnapshotGraphReplyStats(TypedDict):
    total_nodes: int
    total_edges: int
    returned_nodes: int
    returned_edges: int
    sampled: bool
    sample_ratio: float


class SnapshotGraphReplyMeta(TypedDict):
    type_colors: Dict[str, str]
    relation_colors: Dict[str, str]
    query_time_ms: float
    archive_threshold: float


class SnapshotGraphReply(TypedDict):
    nodes: List[SnapshotGraphReplyNodesItem]
    edges: List[SnapshotGraphReplyEdgesItem]
    stats: SnapshotGraphReplyStats
    meta: SnapshotGraphReplyMeta
    warnings: NotRequired[List[str]]


class GraphStatsReplyTotals(TypedDict):
    nodes: int
    edges: int


class GraphStatsReplyImportanceDistribution(TypedDict):
    high: int
    medium: int
    low: int


class GraphStatsReplyRecentActivityItem(TypedDict):
    date: str
    count: int


class GraphStatsReplyMeta(TypedDict):
    type_colors: Dict[str, str]
    relation_colors: Dict[str, str]
    query_time_ms: float
    archive_threshold: float


class GraphStatsReply(TypedDict):
    totals: GraphStatsReplyTotals
    by_type: Dict[str, int]
    by_relationship: Dict[str, int]
    importance_distribution: GraphStatsReplyImportanceDistribution
    recent_activity: List[GraphStatsReplyRecentActivityItem]
    meta: GraphStatsReplyMeta
    warnings: NotRequired[List[str]]


class ReadOverviewReplyAddedItem(TypedDict):
    date: str
    count: int


class ReadOverviewReplyTopTagsItem(TypedDict):
    tag: str
    memories: int


class ReadOverviewReplyTopEntitiesItem(TypedDict):
    tag: str
    name: str
    category: str
    memories: int


class ReadOverviewReply(TypedDict):
    status: Literal["success"]
    read_at: str
    memories: int
    associations: int
    by_type: Dict[str, int]
    added: List[ReadOverviewReplyAddedItem]
    tagged: int
    top_tags: List[ReadOverviewReplyTopTagsItem]
    top_entities: List[ReadOverviewReplyTopEntitiesItem]
    warnings: NotRequired[List[str]]


class AnalyzeMemoriesReplyAnalyticsMemoryTypesValue(TypedDict):
    count: int
    average_confidence: float


class AnalyzeMemoriesReplyAnalyticsPatternsItem(TypedDict):
    type: str
    description: str
    confidence: float
    observations: int


class AnalyzeMemoriesReplyAnalyticsPreferencesItem(TypedDict):
    prefers: str
    over: str
    context: str
    strength: float


class AnalyzeMemoriesReplyAnalyticsTemporalInsightsValue(TypedDict):
    count: int
    avg_importance: float


class AnalyzeMemoriesReplyAnalyticsConfidenceDistribution(TypedDict):
    low: int
    medium: int
    high: int


class AnalyzeMemoriesReplyAnalytics(TypedDict):
    memory_types: Dict[str, AnalyzeMemoriesReplyAnalyticsMemoryTypesValue]
    patterns: List[AnalyzeMemoriesReplyAnalyticsPatternsItem]
    preferences: List[AnalyzeMemoriesReplyAnalyticsPreferencesItem]
    temporal_insights: Dict[str, AnalyzeMemoriesReplyAnalyticsTemporalInsightsValue]
    entity_frequency: Dict[str, int]
    confidence_distribution: AnalyzeMemoriesReplyAnalyticsConfidenceDistribution


class AnalyzeMemoriesReply(TypedDict):
    status: Literal["success"]
    elapsed_ms: float
    analytics: AnalyzeMemoriesReplyAnalytics
    warnings: NotRequired[List[str]]


class StartupRecallReplyCriticalLessonsItem(TypedDict):
    id: str
    content: str
    tags: List[str]
    importance: float
    type: str
    metadata: Dict[str, Any]


class StartupRecallReplySystemRulesItem(TypedDict):
    id: str
    content: str
    tags: List[str]


class StartupRecallReply(TypedDict):
    status: Literal["success"]
    critical_lessons: List[StartupRecallReplyCriticalLessonsItem]
    system_rules: List[StartupRecallReplySystemRulesItem]
    lesson_count: int
    has_critical: bool
    summary: str
    warnings: NotRequired[List[str]]


class ListGraphTypesReply(TypedDict):
    types: List[str]
    colors: Dict[str, str]
    warnings: NotRequired[List[str]]


class ListGraphRelationsReply(TypedDict):
    relations: List[str]
    colors: Dict[str, str]
    warnings: NotRequired[List[str]]


class MergeEntityBody(TypedDict):
    merge_into: NotRequired[Any]


class MergeEntityReplyMerge(TypedDict):
    canonical: str
    alias: str
    alias_slug: str
    edges_moved: int


class MergeEntityReply(TypedDict):
    status: Literal["success"]
    merge: MergeEntityReplyMerge
    warnings: NotRequired[List[str]]


class UnmergeEntityReplyUnmerge(TypedDict):
    canonical: str
    alias: str
    alias_slug: str
    edges_moved: int
    enrichments_requested: int


class UnmergeEntityReply(TypedDict):
    status: Literal["success"]
    unmerge: UnmergeEntityReplyUnmerge
    warnings: NotRequired[List[str]]


class ListEntitiesReplyEntitiesItem(TypedDict):
    id: str
    slug: str
    category: str
    name: str
    aliases: List[str]
    identity: Union[str, None]
    identity_version: int
    identity_updated_at: Union[str, None]
    identity_source_count: Union[int, None]
    reference_count: int
    created_at: str
    last_referenced_at: str


class ListEntitiesReply(TypedDict):
    status: Literal["success"]
    entities: List[ListEntitiesReplyEntitiesItem]
    count: int
    warnings: NotRequired[List[str]]


class ListMergeCandidatesReplyCandidatesItem(TypedDict):
    entity_a: str
    entity_b: str
    canonical: str
    alias: str
    confidence: float
    reason: str
    auto_merge: bool


class ListMergeCandidatesReply(TypedDict):
    status: Literal["success"]
    candidates: List[ListMergeCandidatesReplyCandidatesItem]
    count: int
    truncated: bool
    warnings: NotRequired[List[str]]


class GetEntityReplyEntity(TypedDict):
    id: str
    slug: str
    category: str
    name: str
    aliases: List[str]
    identity: Union[str, None]
    identity_version: int
    identity_updated_at: Union[str, None]
    identity_source_count: Union[int, None]
    reference_count: int
    created_at: str
    last_referenced_at: str


class GetEntityReply(TypedDict):
    status: Literal["success"]
    entity: GetEntityReplyEntity
    warnings: NotRequired[List[str]]


class AuditEntitiesReplyMergeCandidatesItem(TypedDict):
    entity_a: str
    entity_b: str
    canonical: str
    alias: str
    confidence: float
    reason: str
    auto_merge: bool


class AuditEntitiesReplyCounts(TypedDict):
    accepted_entities: int
    rejected_entities: int
    accepted_total_unfiltered: int
    rejected_total_unfiltered: int
    merge_candidates: int
    auto_merge_candidates: int
    review_merge_candidates: int


class AuditEntitiesReplyCountsByCategoryValue(TypedDict):
    accepted: int
    rejected: int


class AuditEntitiesReplyAcceptedItem(TypedDict):
    id: str
    category: str
    slug: str
    name: str
    source_tags: List[str]
    references: int
    confidence: float


class AuditEntitiesReplyRejectedEntitiesItem(TypedDict):
    tag: str
    memory_id: Union[str, None]
    category: str
    slug: str
    reason: str


class AuditEntitiesReplyAcceptedSampleItem(TypedDict):
    id: str
    category: str
    slug: str
    name: str
    source_tags: List[str]
    references: int
    confidence: float


class AuditEntitiesReplyRejectedSampleItem(TypedDict):
    tag: str
    memory_id: Union[str, None]
    category: str
    slug: str
    reason: str


class AuditEntitiesReply(TypedDict):
    status: Literal["success"]
    dry_run: Literal[True]
    merge_candidates: List[AuditEntitiesReplyMergeCandidatesItem]
    counts: AuditEntitiesReplyCounts
    counts_by_reason: Dict[str, int]
    counts_by_category: Dict[str, AuditEntitiesReplyCountsByCategoryValue]
    limit: int
    offset: int
    summary: bool
    merge_candidates_skipped: bool
    truncated: bool
    accepted: NotRequired[List[AuditEntitiesReplyAcceptedItem]]
    rejected_entities: NotRequired[List[AuditEntitiesReplyRejectedEntitiesItem]]
    accepted_sample: NotRequired[List[AuditEntitiesReplyAcceptedSampleItem]]
    rejected_sample: NotRequired[List[AuditEntitiesReplyRejectedSampleItem]]
    warnings: NotRequired[List[str]]


class RecalledMemory(TypedDict):
    id: str
    content: str
    type: Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context", "MetaPattern"]
    confidence: float
    tags: List[str]
    tag_prefixes: List[str]
    importance: float
    metadata: Dict[str, Any]
    timestamp: str
    updated_at: str
    last_accessed: str
    t_valid: NotRequired[str]
    t_invalid: NotRequired[str]
    summary: NotRequired[str]
    enriched: bool
    enriched_at: NotRequired[str]
    processed: bool
    entities: NotRequired[Dict[str, List[str]]]
    relevance_score: NotRequired[float]
    archived: NotRequired[bool]
    archived_at: NotRequired[str]
    protected: NotRequired[bool]
    protected_reason: NotRequired[str]
    memory_id: str
    created_at: str


class ScoreComponents(TypedDict):
    vector: float
    keyword: float
    metadata: float
    relation: float
    tag: float
    importance: float
    confidence: float
    recency: float
    exact: float
    relevance: float
    context: float
    evidence: float
    relevance_gated: NotRequired[bool]
    temporal: NotRequired[float]
    entity_expansion: NotRequired[float]


ExplainedResultEvidenceItem = TypedDict(
    "ExplainedResultEvidenceItem",
    {
        "source": "str",
        "pass": "NotRequired[Literal[\"current\", \"lapsed\", \"unarchived\"]]",
        "rank": "NotRequired[int]",
        "similarity": "NotRequired[float]",
    },
)


class ExplainedResultTermsWords(TypedDict):
    tags: List[str]
    metadata: List[str]


class ExplainedResultTerms(TypedDict):
    content: List[str]
    tags: List[str]
    missing: List[str]
    phrase: Literal["content", "tags", None]
    words: ExplainedResultTermsWords


class ExplainedResultFeatures(TypedDict):
    similarity: float
    words: float
    identifier: NotRequired[float]
    standing: NotRequired[float]
    lexical: NotRequired[float]
    neighbours: NotRequired[float]
    session: NotRequired[float]
    subject: NotRequired[float]
    date: NotRequired[float]
    role: NotRequired[float]
    question: NotRequired[float]
    verbosity: NotRequired[float]


ExplainedResultFoundInEvidenceItem = TypedDict(
    "ExplainedResultFoundInEvidenceItem",
    {
        "source": "str",
        "pass": "NotRequired[Literal[\"current\", \"lapsed\", \"unarchived\"]]",
        "rank": "NotRequired[int]",
        "similarity": "NotRequired[float]",
    },
)


class ExplainedResultFoundIn(TypedDict):
    id: str
    evidence: List[ExplainedResultFoundInEvidenceItem]
    type: str
    strength: float
    share: float


class ExplainedResultMatch(TypedDict):
    probability: float
    known_terms: float
    candidates: int
    sessions: bool
    points: float


class ExplainedResultGate(TypedDict):
    evidence: float
    threshold: float


class ExplainedResult(TypedDict):
    evidence: List[ExplainedResultEvidenceItem]
    terms: ExplainedResultTerms
    features: ExplainedResultFeatures
    points: Dict[str, float]
    found_in: NotRequired[ExplainedResultFoundIn]
    match: NotRequired[ExplainedResultMatch]
    search_weight: NotRequired[float]
    gate: NotRequired[ExplainedResultGate]


RecallResultRelationsItem2 = TypedDict(
    "RecallResultRelationsItem2",
    {
        "type": "str",
        "strength": "float",
        "from": "str",
    },
)


RecallResultRelationsItem3 = TypedDict(
    "RecallResultRelationsItem3",
    {
        "type": "str",
        "strength": "float",
        "from": "str",
        "seed_rank": "int",
        "seed_score": "float",
    },
)


RecallResultRelatedToItem = TypedDict(
    "RecallResultRelatedToItem",
    {
        "type": "str",
        "strength": "float",
        "from": "str",
        "seed_rank": "int",
        "seed_score": "float",
    },
)


RecallResult = TypedDict(
    "RecallResult",
    {
        "id": "str",
        "score": "float",
        "final_score": "float",
        "match_score": "float",
        "match_type": "Literal[\"semantic\", \"keyword\", \"tag\", \"relation\", \"entity\", \"trending\", \"metadata\", \"priority\", \"replacement\"]",
        "source": "Literal[\"qdrant\", \"graph\"]",
        "memory": "RecalledMemory",
        "relations": "List[Union[Relation, RecallResultRelationsItem2, RecallResultRelationsItem3]]",
        "score_components": "ScoreComponents",
        "original_score": "NotRequired[float]",
        "_query": "NotRequired[str]",
        "match_probability": "NotRequired[float]",
        "related_to": "NotRequired[List[RecallResultRelatedToItem]]",
        "relation_score": "NotRequired[float]",
        "expanded_from_entity": "NotRequired[str]",
        "deduped_from": "NotRequired[List[str]]",
        "source_pieces": "NotRequired[List[str]]",
        "state_replaces": "NotRequired[str]",
        "outside_tag_scope": "NotRequired[bool]",
        "explain": "NotRequired[ExplainedResult]",
    },
)


class CompactRecallResult(TypedDict):
    id: str
    content: str
    type: str
    tags: List[str]
    score: float
    match_type: Literal["semantic", "keyword", "tag", "relation", "entity", "trending", "metadata", "priority", "replacement"]
    timestamp: str
    updated_at: str
    explain: NotRequired[ExplainedResult]


class ExplainedMemoryCut(TypedDict):
    at: Literal["absent", "filter", "state", "retrieval", "min_score", "min_probability", "duplicate", "source", "limit", "after_selection"]
    rules: NotRequired[List[Literal["type", "time_window", "tags", "exclude_tags", "archived"]]]
    reason: NotRequired[str]
    successor: NotRequired[str]
    relation_type: NotRequired[str]
    found: NotRequired[Dict[str, int]]
    of: NotRequired[str]
    position: NotRequired[int]
    limit: NotRequired[int]
    score: NotRequired[float]
    probability: NotRequired[float]
    needed: NotRequired[float]


ExplainedMemoryEvidence1EvidenceItem = TypedDict(
    "ExplainedMemoryEvidence1EvidenceItem",
    {
        "source": "str",
        "pass": "NotRequired[Literal[\"current\", \"lapsed\", \"unarchived\"]]",
        "rank": "NotRequired[int]",
        "similarity": "NotRequired[float]",
    },
)


class ExplainedMemoryEvidence1TermsWords(TypedDict):
    tags: List[str]
    metadata: List[str]


class ExplainedMemoryEvidence1Terms(TypedDict):
    content: List[str]
    tags: List[str]
    missing: List[str]
    phrase: Literal["content", "tags", None]
    words: ExplainedMemoryEvidence1TermsWords


ExplainedMemoryEvidence1FoundInEvidenceItem = TypedDict(
    "ExplainedMemoryEvidence1FoundInEvidenceItem",
    {
        "source": "str",
        "pass": "NotRequired[Literal[\"current\", \"lapsed\", \"unarchived\"]]",
        "rank": "NotRequired[int]",
        "similarity": "NotRequired[float]",
    },
)


class ExplainedMemoryEvidence1FoundIn(TypedDict):
    id: str
    evidence: List[ExplainedMemoryEvidence1FoundInEvidenceItem]
    type: str
    strength: float
    share: float


class ExplainedMemoryEvidence1Match(TypedDict):
    probability: float
    known_terms: float
    candidates: int
    sessions: bool
    points: float


class ExplainedMemoryEvidence1Gate(TypedDict):
    evidence: float
    threshold: float


class ExplainedMemoryEvidence1Features(TypedDict):
    similarity: float
    words: float
    identifier: NotRequired[float]
    standing: NotRequired[float]
    lexical: NotRequired[float]
    neighbours: NotRequired[float]
    session: NotRequired[float]
    subject: NotRequired[float]
    date: NotRequired[float]
    role: NotRequired[float]
    question: NotRequired[float]
    verbosity: NotRequired[float]


class ExplainedMemoryEvidence1(TypedDict):
    evidence: List[ExplainedMemoryEvidence1EvidenceItem]
    terms: ExplainedMemoryEvidence1Terms
    found_in: NotRequired[ExplainedMemoryEvidence1FoundIn]
    match: NotRequired[ExplainedMemoryEvidence1Match]
    search_weight: NotRequired[float]
    gate: NotRequired[ExplainedMemoryEvidence1Gate]
    features: NotRequired[ExplainedMemoryEvidence1Features]
    points: NotRequired[Dict[str, float]]


class ExplainedMemory(TypedDict):
    memory_id: str
    position: Union[int, None]
    cut: Union[ExplainedMemoryCut, None]
    evidence: Union[ExplainedMemoryEvidence1, None]


class RecallReplyVectorSearch(TypedDict):
    enabled: bool
    matched: bool


class RecallReplyTimeWindow(TypedDict):
    start: Union[str, None]
    end: Union[str, None]


class RecallReplyTagScope(TypedDict):
    filtered: bool
    pool_size_hint: Union[int, None]
    gated_low_evidence: int


class RecallReplyExpansion(TypedDict):
    enabled: bool
    seed_count: int
    expanded_count: int
    relation_limit: int
    expansion_limit: int
    respect_tags: bool


class RecallReplyEntityExpansion(TypedDict):
    enabled: bool
    expanded_count: int
    entities_found: List[str]


class RecallReplyContextPriority(TypedDict):
    language: Union[str, None]
    context: Union[str, None]
    priority_tags: List[str]
    priority_types: List[str]
    injected: bool


class RecallReplyStateFilterSuppressedItem(TypedDict):
    id: str
    reason: str
    replacement_id: NotRequired[str]
    relation_type: NotRequired[str]


class RecallReplyStateFilterReplacementsItem(TypedDict):
    id: str
    replaces_id: str
    relation_type: str


class RecallReplyStateFilter(TypedDict):
    current_only: bool
    suppressed_count: int
    replacement_count: int
    suppressed: NotRequired[List[RecallReplyStateFilterSuppressedItem]]
    replacements: NotRequired[List[RecallReplyStateFilterReplacementsItem]]


class RecallReplyScoreFilter(TypedDict):
    min_score: Union[float, None]
    adaptive_floor: Union[float, None]
    filtered_count: int
    min_probability: NotRequired[float]


class RecallReplyBudget(TypedDict):
    max_tokens: int
    estimated_tokens: int
    omitted: List[str]


class RecallReplyDegradedItem(TypedDict):
    source: str
    reason: str


class RecallReplyEntitiesItem(TypedDict):
    id: str
    slug: str
    category: str
    name: str
    aliases: List[str]
    identity: str
    identity_source_count: int
    identity_updated_at: str


class RecallReply(TypedDict):
    status: Literal["success"]
    query: str
    results: List[Union[RecallResult, CompactRecallResult]]
    count: int
    dedup_removed: int
    sort: str
    state_mode: str
    vector_search: RecallReplyVectorSearch
    tag_mode: str
    tag_match: str
    query_time_ms: float
    keywords: NotRequired[List[str]]
    queries: NotRequired[List[str]]
    time_window: NotRequired[RecallReplyTimeWindow]
    tags: NotRequired[List[str]]
    tag_scope: NotRequired[RecallReplyTagScope]
    exclude_tags: NotRequired[List[str]]
    expansion: NotRequired[RecallReplyExpansion]
    entity_expansion: NotRequired[RecallReplyEntityExpansion]
    context_priority: NotRequired[RecallReplyContextPriority]
    state_filter: NotRequired[RecallReplyStateFilter]
    score_filter: NotRequired[RecallReplyScoreFilter]
    nothing_fits: NotRequired[bool]
    recency_bias: NotRequired[Literal["on"]]
    day_coverage: NotRequired[Literal["on"]]
    scope_fallback: NotRequired[Literal[True]]
    budget: NotRequired[RecallReplyBudget]
    degraded: NotRequired[List[RecallReplyDegradedItem]]
    entities: NotRequired[List[RecallReplyEntitiesItem]]
    explain: NotRequired[ExplainedMemory]
    consistency: NotRequired[Consistency]
    warnings: NotRequired[List[str]]


class ReprocessBody(TypedDict):
    ids: NotRequired[Union[List[str], str, None]]


class ReprocessReply(TypedDict):
    status: Literal["queued"]
    count: int
    ids: List[str]
    warnings: NotRequired[List[str]]


class FeedEvent(TypedDict):
    specversion: Literal["1.0"]
    id: str
    source: Literal["/palimpsest"]
    subject: str
    time: str
    datacontenttype: Literal["application/json"]
    position: int
    version: int
    revision: int
    partitionkey: str
    actorname: str
    actortier: Literal["open", "api", "admin", "internal"]
    correlationid: str
    type: Literal["memory.stored", "memory.updated", "memory.enriched", "memory.enrichment.requested", "memory.enrichment.failed", "memory.relevance.changed", "memory.archived", "memory.restored", "memory.cluster.changed", "memory.deleted", "association.created", "association.updated", "entity.merged", "entity.updated", "key.created", "key.rotated", "key.revoked"]
    schemaversion: int
    actoragent: NotRequired[str]
    causationid: NotRequired[str]
    traceparent: NotRequired[str]
    tenant: NotRequired[str]
    data: NotRequired[Dict[str, Any]]
    erased: NotRequired[Literal[True]]


class ListEventsReply(TypedDict):
    status: Literal["success"]
    events: List[FeedEvent]
    next: str
    head: str
    count: int
    warnings: NotRequired[List[str]]


class MemoryVersionActor(TypedDict):
    name: str
    tier: Literal["open", "api", "admin", "internal"]
    agent: Union[str, None]


class MemoryVersionMemory(TypedDict):
    id: str
    content: str
    type: Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context", "MetaPattern"]
    confidence: float
    tags: List[str]
    tag_prefixes: List[str]
    importance: float
    metadata: Dict[str, Any]
    timestamp: str
    updated_at: str
    last_accessed: str
    t_valid: NotRequired[str]
    t_invalid: NotRequired[str]
    summary: NotRequired[str]
    enriched: bool
    enriched_at: NotRequired[str]
    processed: bool
    entities: NotRequired[Dict[str, List[str]]]
    relevance_score: NotRequired[float]
    archived: NotRequired[bool]
    archived_at: NotRequired[str]
    protected: NotRequired[bool]
    protected_reason: NotRequired[str]


class MemoryVersion(TypedDict):
    version: int
    revision: int
    type: Literal["memory.stored", "memory.updated", "memory.enriched", "memory.enrichment.requested", "memory.enrichment.failed", "memory.relevance.changed", "memory.archived", "memory.restored", "memory.cluster.changed", "memory.deleted", "association.created", "association.updated", "entity.merged", "entity.updated", "key.created", "key.rotated", "key.revoked"]
    event_id: str
    position: int
    time: str
    actor: MemoryVersionActor
    request_id: str
    causation_id: Union[str, None]
    changed: Union[List[str], None]
    memory: Union[MemoryVersionMemory, None]
    erased: bool


class ListHistoryReply(TypedDict):
    status: Literal["success"]
    memory_id: str
    versions: List[MemoryVersion]
    next: Union[int, None]
    count: int
    warnings: NotRequired[List[str]]


class StreamStatusReply(TypedDict):
    subscribers: int
    instance: str
    warnings: NotRequired[List[str]]


class ListDeadLettersReplyDeadLettersItem(TypedDict):
    id: int
    projector: str
    event_id: str
    type: str
    subject: str
    version: int
    position: int
    reason: str
    attempts: int
    at: str
    age_seconds: float
    awaits_redrive: bool


class ListDeadLettersReply(TypedDict):
    status: Literal["success"]
    dead_letters: List[ListDeadLettersReplyDeadLettersItem]
    count: int
    total: int
    next: Union[int, None]
    warnings: NotRequired[List[str]]


class RedriveDeadLettersBody1(TypedDict):
    ids: List[int]


class RedriveDeadLettersBody2(TypedDict):
    projector: str


class RedriveDeadLettersReply(TypedDict):
    status: Literal["queued"]
    count: int
    ids: List[int]
    superseded: List[int]
    unknown: List[int]
    warnings: NotRequired[List[str]]


class DiscardDeadLettersBody1(TypedDict):
    ids: List[int]


class DiscardDeadLettersBody2(TypedDict):
    projector: str


class DiscardDeadLettersReply(TypedDict):
    status: Literal["discarded"]
    count: int
    ids: List[int]
    unknown: List[int]
    warnings: NotRequired[List[str]]


class ListProjectorsReplyProjectorsItemInstancesItem(TypedDict):
    instance: str
    status: Literal["running", "paused", "stopped", "silent"]
    position: int
    rate_per_second: float
    handled: int
    failed: int
    last_error: Union[str, None]
    last_error_at: Union[str, None]
    heartbeat_at: str
    detail: Dict[str, Any]


class ListProjectorsReplyProjectorsItem(TypedDict):
    name: str
    status: Literal["running", "paused", "stopped"]
    position: int
    lag_events: int
    lag_seconds: Union[float, None]
    rate_per_second: float
    handled: int
    failed: int
    dead_letters: int
    last_error: Union[str, None]
    last_error_at: Union[str, None]
    instances: List[ListProjectorsReplyProjectorsItemInstancesItem]


class ListProjectorsReply(TypedDict):
    status: Literal["success"]
    head: int
    projectors: List[ListProjectorsReplyProjectorsItem]
    warnings: NotRequired[List[str]]


class ReadActivityReplySteps(TypedDict):
    recalls: List[Union[int, None]]
    found_nothing: List[Union[int, None]]
    p50_ms: List[Union[float, None]]
    p95_ms: List[Union[float, None]]
    stores: List[Union[int, None]]
    changes: List[Union[int, None]]
    background: List[Union[int, None]]


class ReadActivityReplyTotal(TypedDict):
    recalls: int
    found_nothing: int
    p50_ms: Union[float, None]
    p95_ms: Union[float, None]
    stores: int
    changes: int
    background: int


class ReadActivityReplyProjectorsItem(TypedDict):
    name: str
    status: Literal["running", "paused", "stopped"]
    lag_events: int
    lag_seconds: Union[float, None]


ReadActivityReply = TypedDict(
    "ReadActivityReply",
    {
        "status": "Literal[\"success\"]",
        "instance": "str",
        "since": "str",
        "from": "str",
        "step_seconds": "int",
        "steps": "ReadActivityReplySteps",
        "total": "ReadActivityReplyTotal",
        "projectors": "List[ReadActivityReplyProjectorsItem]",
        "warnings": "NotRequired[List[str]]",
    },
)


class PauseProjectorReply(TypedDict):
    status: Literal["success"]
    name: str
    paused: bool
    warnings: NotRequired[List[str]]


class ResumeProjectorReply(TypedDict):
    status: Literal["success"]
    name: str
    paused: bool
    warnings: NotRequired[List[str]]


class ListJobsReplyJobsItem(TypedDict):
    id: str
    kind: Literal["reembed", "rebuild-vectors", "rollback-vectors", "rebuild-graph", "consolidate"]
    state: Literal["waiting", "running", "done", "failed"]
    request: Dict[str, Any]
    progress: Dict[str, Any]
    error: Union[str, None]
    requested_at: str
    started_at: Union[str, None]
    finished_at: Union[str, None]


class ListJobsReply(TypedDict):
    status: Literal["success"]
    jobs: List[ListJobsReplyJobsItem]
    count: int
    warnings: NotRequired[List[str]]


class GetJobReplyJob(TypedDict):
    id: str
    kind: Literal["reembed", "rebuild-vectors", "rollback-vectors", "rebuild-graph", "consolidate"]
    state: Literal["waiting", "running", "done", "failed"]
    request: Dict[str, Any]
    progress: Dict[str, Any]
    error: Union[str, None]
    requested_at: str
    started_at: Union[str, None]
    finished_at: Union[str, None]


class GetJobReply(TypedDict):
    status: Literal["success"]
    job: GetJobReplyJob
    warnings: NotRequired[List[str]]


class RebuildGraphReplyJob(TypedDict):
    id: str
    kind: Literal["reembed", "rebuild-vectors", "rollback-vectors", "rebuild-graph", "consolidate"]
    state: Literal["waiting", "running", "done", "failed"]
    request: Dict[str, Any]
    progress: Dict[str, Any]
    error: Union[str, None]
    requested_at: str
    started_at: Union[str, None]
    finished_at: Union[str, None]


class RebuildGraphReply(TypedDict):
    status: Literal["accepted"]
    job: RebuildGraphReplyJob
    warnings: NotRequired[List[str]]


class SyncIndexBody(TypedDict):
    batch_size: NotRequired[Any]
    dry_run: NotRequired[Union[bool, None]]


class SyncIndexReply1(TypedDict):
    status: Literal["dry_run"]
    neo4j_count: int
    falkordb_count: int
    qdrant_count: int
    missing_count: int
    orphaned_count: int
    stale_count: int
    missing_sample: List[str]
    orphaned_sample: List[str]
    stale_sample: List[str]
    warnings: NotRequired[List[str]]


class SyncIndexReply2(TypedDict):
    status: Literal["already_synced"]
    neo4j_count: int
    falkordb_count: int
    qdrant_count: int
    synced: int
    orphaned_count: int
    stale_count: int
    warnings: NotRequired[List[str]]


class SyncIndexReply3(TypedDict):
    status: Literal["complete"]
    neo4j_count: int
    falkordb_count: int
    qdrant_count: int
    synced: int
    failed: int
    orphaned_count: int
    stale_count: int
    stale_sample: List[str]
    removed: int
    failed_ids: NotRequired[List[str]]
    failed_ids_truncated: NotRequired[Literal[True]]
    warnings: NotRequired[List[str]]


ReembedBody = TypedDict(
    "ReembedBody",
    {
        "batch_size": "NotRequired[Any]",
        "limit": "NotRequired[Union[int, None]]",
        "force": "NotRequired[Union[bool, None]]",
        "async": "NotRequired[Union[bool, None]]",
    },
)


class ReembedReply1(TypedDict):
    status: Literal["complete"]
    message: Literal["No memories found to reembed"]
    processed: int
    total: int
    warnings: NotRequired[List[str]]


class ReembedReply2(TypedDict):
    status: Literal["complete"]
    processed: int
    failed: int
    skipped: int
    total: int
    batch_size: int
    metadata_preserved: Literal[True]
    failed_ids: NotRequired[List[str]]
    failed_ids_truncated: NotRequired[Literal[True]]
    error: NotRequired[str]
    warnings: NotRequired[List[str]]


class ReembedReply202Job(TypedDict):
    id: str
    kind: Literal["reembed", "rebuild-vectors", "rollback-vectors", "rebuild-graph", "consolidate"]
    state: Literal["waiting", "running", "done", "failed"]
    request: Dict[str, Any]
    progress: Dict[str, Any]
    error: Union[str, None]
    requested_at: str
    started_at: Union[str, None]
    finished_at: Union[str, None]


class ReembedReply202(TypedDict):
    status: Literal["accepted"]
    job: ReembedReply202Job
    warnings: NotRequired[List[str]]


class RebuildVectorsBody(TypedDict):
    provider: NotRequired[Union[Literal["bundled", "openai", "ollama", "voyage"], None]]
    model: NotRequired[Union[str, None]]
    vector_size: NotRequired[Union[int, None]]


class RebuildVectorsReplyJob(TypedDict):
    id: str
    kind: Literal["reembed", "rebuild-vectors", "rollback-vectors", "rebuild-graph", "consolidate"]
    state: Literal["waiting", "running", "done", "failed"]
    request: Dict[str, Any]
    progress: Dict[str, Any]
    error: Union[str, None]
    requested_at: str
    started_at: Union[str, None]
    finished_at: Union[str, None]


class RebuildVectorsReply(TypedDict):
    status: Literal["accepted"]
    job: RebuildVectorsReplyJob
    warnings: NotRequired[List[str]]


class RollbackVectorsReplyJob(TypedDict):
    id: str
    kind: Literal["reembed", "rebuild-vectors", "rollback-vectors", "rebuild-graph", "consolidate"]
    state: Literal["waiting", "running", "done", "failed"]
    request: Dict[str, Any]
    progress: Dict[str, Any]
    error: Union[str, None]
    requested_at: str
    started_at: Union[str, None]
    finished_at: Union[str, None]


class RollbackVectorsReply(TypedDict):
    status: Literal["accepted"]
    job: RollbackVectorsReplyJob
    warnings: NotRequired[List[str]]


class ImportRecordsBodyMemories1Item(TypedDict):
    content: str
    type: NotRequired[Union[Literal["Decision", "Pattern", "Preference", "Style", "Habit", "Insight", "Context"], Literal["decision", "pattern", "preference", "style", "habit", "insight", "context", "memory", "milestone", "document", "meeting_notes", "project", "timeline", "organization", "person", "personal_situation", "practical_info", "analysis", "observation", "issue", "legal_analysis", "template", "interests", "personality", "emotional_patterns", "relationship_dynamics", "communication", "health_habits"], None]]
    confidence: NotRequired[Union[float, bool, str, None]]
    tags: NotRequired[Union[List[str], str, None]]
    importance: NotRequired[Union[float, bool, str, None]]
    metadata: NotRequired[Union[Dict[str, Any], None]]
    timestamp: NotRequired[Union[str, None]]
    embedding: NotRequired[Union[List[float], str, None]]
    t_valid: NotRequired[Union[str, None]]
    t_invalid: NotRequired[Union[str, None]]
    updated_at: NotRequired[Union[str, None]]
    last_accessed: NotRequired[Union[str, None]]
    id: str
    summary: NotRequired[Union[str, None]]
    relevance_score: NotRequired[Union[float, None]]
    archived: NotRequired[Union[bool, None]]
    archived_at: NotRequired[Union[str, None]]
    protected: NotRequired[Union[bool, None]]
    protected_reason: NotRequired[Union[str, None]]


class ImportRecordsBodyAssociations1Item(TypedDict):
    memory1_id: str
    memory2_id: str
    type: str
    strength: NotRequired[Union[float, bool, str, None]]
    properties: NotRequired[Union[Dict[str, Any], None]]
    context: NotRequired[Union[str, None]]
    reason: NotRequired[Union[str, None]]
    pattern_type: NotRequired[Union[str, None]]
    resolution: NotRequired[Union[str, None]]
    timestamp: NotRequired[Union[str, None]]
    transformation: NotRequired[Union[str, None]]
    role: NotRequired[Union[str, None]]
    confidence: NotRequired[Union[float, None]]
    observations: NotRequired[Any]
    created_at: NotRequired[Union[str, None]]
    updated_at: NotRequired[Union[str, None]]


class ImportRecordsBody(TypedDict):
    memories: NotRequired[Union[List[ImportRecordsBodyMemories1Item], None]]
    associations: NotRequired[Union[List[ImportRecordsBodyAssociations1Item], None]]


class ImportRecordsReplyMemoriesRefusedItem(TypedDict):
    index: int
    reason: str


class ImportRecordsReplyMemories(TypedDict):
    stored: int
    existing: int
    refused: List[ImportRecordsReplyMemoriesRefusedItem]


class ImportRecordsReplyAssociationsRefusedItem(TypedDict):
    index: int
    reason: str


class ImportRecordsReplyAssociations(TypedDict):
    stored: int
    existing: int
    refused: List[ImportRecordsReplyAssociationsRefusedItem]


class ImportRecordsReply(TypedDict):
    status: Literal["success"]
    memories: ImportRecordsReplyMemories
    associations: ImportRecordsReplyAssociations
    warnings: NotRequired[List[str]]


class CreateWebhookBody(TypedDict):
    url: str
    description: NotRequired[Union[str, None]]
    types: NotRequired[Union[List[Literal["memory.stored", "memory.updated", "memory.enriched", "memory.enrichment.requested", "memory.enrichment.failed", "memory.relevance.changed", "memory.archived", "memory.restored", "memory.cluster.changed", "memory.deleted", "association.created", "association.updated", "entity.merged", "entity.updated", "key.created", "key.rotated", "key.revoked"]], None]]
    tags: NotRequired[Union[List[str], None]]
    after: NotRequired[Union[int, None]]


class CreateWebhookReplyWebhook(TypedDict):
    id: str
    url: str
    description: str
    types: List[str]
    tags: List[str]
    enabled: bool
    disabled_reason: Union[str, None]
    position: int
    lag_events: int
    failing_since: Union[str, None]
    last_error: Union[str, None]
    previous_secret_until: Union[str, None]
    created_at: str
    updated_at: str


class CreateWebhookReply(TypedDict):
    status: Literal["success"]
    webhook: CreateWebhookReplyWebhook
    secret: str
    warnings: NotRequired[List[str]]


class ListWebhooksReplyWebhooksItem(TypedDict):
    id: str
    url: str
    description: str
    types: List[str]
    tags: List[str]
    enabled: bool
    disabled_reason: Union[str, None]
    position: int
    lag_events: int
    failing_since: Union[str, None]
    last_error: Union[str, None]
    previous_secret_until: Union[str, None]
    created_at: str
    updated_at: str


class ListWebhooksReply(TypedDict):
    status: Literal["success"]
    webhooks: List[ListWebhooksReplyWebhooksItem]
    count: int
    warnings: NotRequired[List[str]]


class GetWebhookReplyWebhook(TypedDict):
    id: str
    url: str
    description: str
    types: List[str]
    tags: List[str]
    enabled: bool
    disabled_reason: Union[str, None]
    position: int
    lag_events: int
    failing_since: Union[str, None]
    last_error: Union[str, None]
    previous_secret_until: Union[str, None]
    created_at: str
    updated_at: str


class GetWebhookReply(TypedDict):
    status: Literal["success"]
    webhook: GetWebhookReplyWebhook
    warnings: NotRequired[List[str]]


class UpdateWebhookBody(TypedDict):
    url: NotRequired[Union[str, None]]
    description: NotRequired[Union[str, None]]
    types: NotRequired[Union[List[Literal["memory.stored", "memory.updated", "memory.enriched", "memory.enrichment.requested", "memory.enrichment.failed", "memory.relevance.changed", "memory.archived", "memory.restored", "memory.cluster.changed", "memory.deleted", "association.created", "association.updated", "entity.merged", "entity.updated", "key.created", "key.rotated", "key.revoked"]], None]]
    tags: NotRequired[Union[List[str], None]]
    enabled: NotRequired[Union[bool, None]]


class UpdateWebhookReplyWebhook(TypedDict):
    id: str
    url: str
    description: str
    types: List[str]
    tags: List[str]
    enabled: bool
    disabled_reason: Union[str, None]
    position: int
    lag_events: int
    failing_since: Union[str, None]
    last_error: Union[str, None]
    previous_secret_until: Union[str, None]
    created_at: str
    updated_at: str


class UpdateWebhookReply(TypedDict):
    status: Literal["success"]
    webhook: UpdateWebhookReplyWebhook
    warnings: NotRequired[List[str]]


class DeleteWebhookReply(TypedDict):
    status: Literal["success"]
    id: str
    warnings: NotRequired[List[str]]


class RotateWebhookSecretBody(TypedDict):
    overlap_hours: NotRequired[Union[float, None]]


class RotateWebhookSecretReplyWebhook(TypedDict):
    id: str
    url: str
    description: str
    types: List[str]
    tags: List[str]
    enabled: bool
    disabled_reason: Union[str, None]
    position: int
    lag_events: int
    failing_since: Union[str, None]
    last_error: Union[str, None]
    previous_secret_until: Union[str, None]
    created_at: str
    updated_at: str


class RotateWebhookSecretReply(TypedDict):
    status: Literal["success"]
    webhook: RotateWebhookSecretReplyWebhook
    secret: str
    warnings: NotRequired[List[str]]


class ReplayWebhookBody(TypedDict):
    after: int


class ReplayWebhookReplyWebhook(TypedDict):
    id: str
    url: str
    description: str
    types: List[str]
    tags: List[str]
    enabled: bool
    disabled_reason: Union[str, None]
    position: int
    lag_events: int
    failing_since: Union[str, None]
    last_error: Union[str, None]
    previous_secret_until: Union[str, None]
    created_at: str
    updated_at: str


class ReplayWebhookReply(TypedDict):
    status: Literal["success"]
    webhook: ReplayWebhookReplyWebhook
    warnings: NotRequired[List[str]]


class ListWebhookDeliveriesReplyDeliveriesItem(TypedDict):
    position: int
    event_id: str
    type: str
    subject: str
    state: Literal["delivered", "failing"]
    attempts: int
    http_status: Union[int, None]
    error: Union[str, None]
    duration_ms: float
    first_attempt_at: str
    last_attempt_at: str
    next_attempt_at: Union[str, None]


class ListWebhookDeliveriesReply(TypedDict):
    status: Literal["success"]
    deliveries: List[ListWebhookDeliveriesReplyDeliveriesItem]
    count: int
    next: Union[int, None]
    warnings: NotRequired[List[str]]


class CreateKeyBody(TypedDict):
    name: str
    scopes: List[Literal["memories:read", "memories:write", "memories:delete", "graph:read", "events:read", "admin:jobs", "admin:webhooks", "admin:keys", "admin:tenants"]]
    tag: NotRequired[Union[str, None]]
    expires_at: NotRequired[Union[str, None]]
    requests_per_minute: NotRequired[Union[int, None]]


class CreateKeyReplyKey(TypedDict):
    id: str
    name: str
    scopes: List[Literal["memories:read", "memories:write", "memories:delete", "graph:read", "events:read", "admin:jobs", "admin:webhooks", "admin:keys", "admin:tenants"]]
    tag: Union[str, None]
    expires_at: Union[str, None]
    requests_per_minute: Union[int, None]
    previous_until: Union[str, None]
    last_used_at: Union[str, None]
    uses: int
    created_at: str
    updated_at: str


class CreateKeyReply(TypedDict):
    status: Literal["success"]
    key: CreateKeyReplyKey
    secret: str
    warnings: NotRequired[List[str]]


class ListKeysReplyKeysItem(TypedDict):
    id: str
    name: str
    scopes: List[Literal["memories:read", "memories:write", "memories:delete", "graph:read", "events:read", "admin:jobs", "admin:webhooks", "admin:keys", "admin:tenants"]]
    tag: Union[str, None]
    expires_at: Union[str, None]
    requests_per_minute: Union[int, None]
    previous_until: Union[str, None]
    last_used_at: Union[str, None]
    uses: int
    created_at: str
    updated_at: str


class ListKeysReply(TypedDict):
    status: Literal["success"]
    keys: List[ListKeysReplyKeysItem]
    count: int
    warnings: NotRequired[List[str]]


class RotateKeyBody(TypedDict):
    overlap_hours: NotRequired[Union[float, None]]


class RotateKeyReplyKey(TypedDict):
    id: str
    name: str
    scopes: List[Literal["memories:read", "memories:write", "memories:delete", "graph:read", "events:read", "admin:jobs", "admin:webhooks", "admin:keys", "admin:tenants"]]
    tag: Union[str, None]
    expires_at: Union[str, None]
    requests_per_minute: Union[int, None]
    previous_until: Union[str, None]
    last_used_at: Union[str, None]
    uses: int
    created_at: str
    updated_at: str


class RotateKeyReply(TypedDict):
    status: Literal["success"]
    key: RotateKeyReplyKey
    secret: str
    warnings: NotRequired[List[str]]


class RevokeKeyReply(TypedDict):
    status: Literal["success"]
    id: str
    warnings: NotRequired[List[str]]


class CreateTenantBody(TypedDict):
    name: str


class CreateTenantReplyTenantLimits(TypedDict):
    requests_per_minute: Union[int, None]
    writes_per_minute: Union[int, None]
    memories: Union[int, None]
    bytes: Union[int, None]


class CreateTenantReplyTenant(TypedDict):
    id: str
    name: str
    state: Literal["active", "suspended", "deleting"]
    reason: Union[str, None]
    limits: CreateTenantReplyTenantLimits
    memories: int
    bytes: int
    counted_at: Union[str, None]
    created_at: str
    updated_at: str


class CreateTenantReply(TypedDict):
    status: Literal["success"]
    tenant: CreateTenantReplyTenant
    warnings: NotRequired[List[str]]


class ListTenantsReplyTenantsItemLimits(TypedDict):
    requests_per_minute: Union[int, None]
    writes_per_minute: Union[int, None]
    memories: Union[int, None]
    bytes: Union[int, None]


class ListTenantsReplyTenantsItem(TypedDict):
    id: str
    name: str
    state: Literal["active", "suspended", "deleting"]
    reason: Union[str, None]
    limits: ListTenantsReplyTenantsItemLimits
    memories: int
    bytes: int
    counted_at: Union[str, None]
    created_at: str
    updated_at: str


class ListTenantsReply(TypedDict):
    status: Literal["success"]
    tenants: List[ListTenantsReplyTenantsItem]
    count: int
    warnings: NotRequired[List[str]]


class UpdateTenantBodyLimits1(TypedDict):
    requests_per_minute: NotRequired[Union[int, None]]
    writes_per_minute: NotRequired[Union[int, None]]
    memories: NotRequired[Union[int, None]]
    bytes: NotRequired[Union[int, None]]


class UpdateTenantBody(TypedDict):
    suspended: NotRequired[Union[bool, None]]
    reason: NotRequired[Union[str, None]]
    limits: NotRequired[Union[UpdateTenantBodyLimits1, None]]


class UpdateTenantReplyTenantLimits(TypedDict):
    requests_per_minute: Union[int, None]
    writes_per_minute: Union[int, None]
    memories: Union[int, None]
    bytes: Union[int, None]


class UpdateTenantReplyTenant(TypedDict):
    id: str
    name: str
    state: Literal["active", "suspended", "deleting"]
    reason: Union[str, None]
    limits: UpdateTenantReplyTenantLimits
    memories: int
    bytes: int
    counted_at: Union[str, None]
    created_at: str
    updated_at: str


class UpdateTenantReply(TypedDict):
    status: Literal["success"]
    tenant: UpdateTenantReplyTenant
    warnings: NotRequired[List[str]]


class DeleteTenantReply(TypedDict):
    status: Literal["success"]
    id: str
    finished: bool
    memories: int
    bytes: int
    remains: List[str]
    warnings: NotRequired[List[str]]


class CreateTenantKeyBody(TypedDict):
    name: str
    scopes: List[Literal["memories:read", "memories:write", "memories:delete", "graph:read", "events:read", "admin:jobs", "admin:webhooks", "admin:keys", "admin:tenants"]]
    tag: NotRequired[Union[str, None]]
    expires_at: NotRequired[Union[str, None]]
    requests_per_minute: NotRequired[Union[int, None]]


class CreateTenantKeyReplyKey(TypedDict):
    id: str
    name: str
    scopes: List[Literal["memories:read", "memories:write", "memories:delete", "graph:read", "events:read", "admin:jobs", "admin:webhooks", "admin:keys", "admin:tenants"]]
    tag: Union[str, None]
    expires_at: Union[str, None]
    requests_per_minute: Union[int, None]
    previous_until: Union[str, None]
    last_used_at: Union[str, None]
    uses: int
    created_at: str
    updated_at: str


class CreateTenantKeyReply(TypedDict):
    status: Literal["success"]
    key: CreateTenantKeyReplyKey
    secret: str
    warnings: NotRequired[List[str]]


class ConsolidateBody(TypedDict):
    mode: NotRequired[Union[str, None]]
    dry_run: NotRequired[Union[bool, None]]


class ConsolidateReplyConsolidationStepsDecayDistribution(TypedDict):
    high: int
    medium: int
    low: int
    archive: int


class ConsolidateReplyConsolidationStepsDecay(TypedDict):
    processed: int
    changed: int
    avg_relevance_before: float
    avg_relevance_after: float
    distribution: ConsolidateReplyConsolidationStepsDecayDistribution


class ConsolidateReplyConsolidationStepsForgetCounts(TypedDict):
    archived: int
    deleted: int
    protected: int


class ConsolidateReplyConsolidationStepsForget(TypedDict):
    examined: int
    archived: List[Dict[str, Any]]
    deleted: List[Dict[str, Any]]
    preserved: int
    protected: List[Dict[str, Any]]
    counts: ConsolidateReplyConsolidationStepsForgetCounts


class ConsolidateReplyConsolidationStepsCreative(TypedDict):
    discovered: int
    created: int
    sample_associations: List[Dict[str, Any]]


class ConsolidateReplyConsolidationStepsCluster(TypedDict):
    clusters_found: int
    meta_memories_created: int
    sample_clusters: List[Dict[str, Any]]


class ConsolidateReplyConsolidationStepsIdentity(TypedDict):
    skipped: NotRequired[bool]
    reason: NotRequired[str]
    errors: NotRequired[List[str]]


class ConsolidateReplyConsolidationSteps(TypedDict):
    decay: NotRequired[ConsolidateReplyConsolidationStepsDecay]
    forget: NotRequired[ConsolidateReplyConsolidationStepsForget]
    creative: NotRequired[ConsolidateReplyConsolidationStepsCreative]
    cluster: NotRequired[ConsolidateReplyConsolidationStepsCluster]
    identity: NotRequired[ConsolidateReplyConsolidationStepsIdentity]


class ConsolidateReplyConsolidation(TypedDict):
    mode: str
    dry_run: bool
    started_at: str
    success: bool
    steps: ConsolidateReplyConsolidationSteps
    completed_at: NotRequired[str]
    error: NotRequired[str]


class ConsolidateReply(TypedDict):
    status: Literal["success"]
    consolidation: ConsolidateReplyConsolidation
    warnings: NotRequired[List[str]]


class ConsolidateReply202Job(TypedDict):
    id: str
    kind: Literal["reembed", "rebuild-vectors", "rollback-vectors", "rebuild-graph", "consolidate"]
    state: Literal["waiting", "running", "done", "failed"]
    request: Dict[str, Any]
    progress: Dict[str, Any]
    error: Union[str, None]
    requested_at: str
    started_at: Union[str, None]
    finished_at: Union[str, None]


class ConsolidateReply202(TypedDict):
    status: Literal["accepted"]
    job: ConsolidateReply202Job
    warnings: NotRequired[List[str]]


class ConsolidationStatusReplyNextRuns(TypedDict):
    decay: str
    creative: str
    cluster: str
    forget: str
    identity: str


class ConsolidationStatusReplyHistoryItem(TypedDict):
    id: str
    mode: str
    task: str
    success: bool
    dry_run: bool
    started_at: str
    completed_at: str
    result: str


class ConsolidationStatusReply(TypedDict):
    status: Literal["success"]
    next_runs: ConsolidationStatusReplyNextRuns
    history: List[ConsolidationStatusReplyHistoryItem]
    thread_alive: bool
    tick_seconds: int
    warnings: NotRequired[List[str]]


class RestoreMemoryReply(TypedDict):
    status: Literal["success"]
    memory_id: str
    restored: bool
    warnings: NotRequired[List[str]]


class EnrichmentStatusReplyStats(TypedDict):
    processed_total: int
    successes: int
    failures: int
    last_success_id: Union[str, None]
    last_success_at: Union[str, None]
    last_error: Union[str, None]
    last_error_at: Union[str, None]


class EnrichmentStatusReply(TypedDict):
    status: Literal["running", "stopped"]
    queue_size: int
    pending: int
    inflight: int
    max_attempts: int
    stats: EnrichmentStatusReplyStats
    warnings: NotRequired[List[str]]


class HealthReplyRebuilding(TypedDict):
    events: int
    subjects: int
    total_subjects: int


class HealthReplyProjectorsValue(TypedDict):
    status: Literal["running", "paused", "stopped"]
    lag_events: Union[int, None]
    lag_seconds: Union[float, None]


class HealthReplyVectorDimensions(TypedDict):
    configured: int
    effective: Union[int, None]
    collection: Union[int, None]
    mismatch: bool


class HealthReplyDrift(TypedDict):
    checked_at: str
    missing: int
    orphaned: int
    stale: int
    repaired: int


class HealthReplyEnrichment(TypedDict):
    status: str
    queue_depth: int
    pending: int
    inflight: int
    processed: int
    failed: int


class HealthReplyOutbox(TypedDict):
    pending: int
    applied: int
    oldest_ms: float
    dead_letters: int
    oldest_dead_letter_ms: float


class HealthReplyStream(TypedDict):
    partitions: int
    added_partitions: int
    generation: int
    warning: Union[str, None]


class HealthReply(TypedDict):
    status: Literal["healthy", "degraded"]
    problems: List[str]
    rebuilding: Union[HealthReplyRebuilding, None]
    neo4j: Literal["connected", "disconnected"]
    falkordb: Literal["connected", "disconnected"]
    qdrant: Literal["connected", "disconnected"]
    journal: Literal["connected", "disconnected"]
    memory_count: Union[int, None]
    vector_count: Union[int, None]
    sync_status: Literal["unknown", "synced", "drift_detected", "orphaned_vectors"]
    in_flight: Union[int, None]
    indexer: Literal["running", "stopped", None]
    dead_letters: Union[int, None]
    projectors: Union[Dict[str, HealthReplyProjectorsValue], None]
    vector_dimensions: HealthReplyVectorDimensions
    drift: Union[HealthReplyDrift, None]
    enrichment: HealthReplyEnrichment
    timestamp: str
    graph: str
    version: str
    outbox: NotRequired[Union[HealthReplyOutbox, None]]
    stream: NotRequired[Union[HealthReplyStream, None]]


class IndexReply(TypedDict):
    service: str
    openapi: str
    health: str


class LivezReply(TypedDict):
    status: str
    checks: NotRequired[Dict[str, str]]


class ReadyzReply(TypedDict):
    status: str
    checks: NotRequired[Dict[str, str]]


class OpenapiReply(TypedDict):
    openapi: str
    info: Dict[str, Any]
    paths: Dict[str, Any]


AssociateBody: TypeAlias = "Union[AssociationItem, AssociationBatch]"
AssociateReply: TypeAlias = "Union[AssociatedPair, AssociatedBatch]"
RedriveDeadLettersBody: TypeAlias = "Union[RedriveDeadLettersBody1, RedriveDeadLettersBody2]"
DiscardDeadLettersBody: TypeAlias = "Union[DiscardDeadLettersBody1, DiscardDeadLettersBody2]"
SyncIndexReply: TypeAlias = "Union[SyncIndexReply1, SyncIndexReply2, SyncIndexReply3]"
ReembedReply: TypeAlias = "Union[ReembedReply1, ReembedReply2]"


class Operations:
    """One method for each operation that answers with JSON."""

    def _call(self, method: str, path: str, **given: Any) -> Any:
        raise NotImplementedError

    def store_memory(
        self,
        *,
        idempotency_key: Union[str, None] = None,
        **body: Unpack[StoreMemoryBody],
    ) -> StoreMemoryReply:
        """Store a memory.
        Stores one memory under a new id. The answer comes after the commit; the vector and the enrichment follow in the background, unless the request has an embedding.
        """
        return cast(
            "StoreMemoryReply",
            self._call(
                "POST",
                "/memory",
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    def store_batch(
        self,
        *,
        idempotency_key: Union[str, None] = None,
        **body: Unpack[StoreBatchBody],
    ) -> StoreBatchReply:
        """Store up to 500 memories, all or none.
        Stores up to 500 memories in one commit, and waits for their vectors up to a limit of time.
        """
        return cast(
            "StoreBatchReply",
            self._call(
                "POST",
                "/memory/batch",
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    def list_by_tag(
        self,
        *,
        tags: List[str],
        limit: Union[int, None] = None,
        offset: Union[int, None] = None,
        consistent_with: Union[str, None] = None,
    ) -> ListByTagReply:
        """List memories by tag, page by page.
        Lists memories with any of the tags: most important first, then newest, then by id. Nothing is ranked or hidden.

        Args:
            tags: Memories with any of these whole tags, in any letter case. Repeat the parameter for more than one tag.
            limit: Page size; default 20, clamped to 1..200.
            offset: Memories to skip; default 0. At least 0.
            consistent_with: Memory-Position of a write that the answer should include: waits for it up to RECALL_CONSISTENT_WAIT_MS; `consistency` shows the result.
        """
        return cast(
            "ListByTagReply",
            self._call(
                "GET",
                "/memory/by-tag",
                query={"tags": tags, "limit": limit, "offset": offset, "consistent_with": consistent_with},
            ),
        )

    def delete_by_tag(
        self,
        *,
        tags: List[str],
        idempotency_key: Union[str, None] = None,
    ) -> DeleteByTagReply:
        """Delete every memory with one of the tags.
        Deletes every memory with one of the tags, in rounds of 200.

        Args:
            tags: Memories with any of these whole tags, in any letter case. Repeat the parameter for more than one tag.
        """
        return cast(
            "DeleteByTagReply",
            self._call(
                "DELETE",
                "/memory/by-tag",
                query={"tags": tags},
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    def list_memories(
        self,
        *,
        text: Union[str, None] = None,
        types: Union[List[str], None] = None,
        tags: Union[List[str], None] = None,
        tag_mode: Union[Literal["any", "all"], None] = None,
        tag_match: Union[Literal["prefix", "exact"], None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        min_importance: Union[float, None] = None,
        sort: Union[Literal["newest", "oldest", "importance", "updated"], None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        include_internal: Union[bool, None] = None,
        facets: Union[bool, None] = None,
        consistent_with: Union[str, None] = None,
    ) -> ListMemoriesReply:
        """List memories by words, type, tag and time, page by page.
        Lists every memory that the filter admits, whatever its state. Nothing is ranked, and the reading does not count as an access. A page ends early at 1 MB, or after 20,000 memories that the filter does not admit: follow `next_cursor` until it is null.

        Args:
            text: Only memories that have each of these words in the content or in a tag, in any form: `meeting` also finds `meetings`. Words such as `the` count only when there are no others. At most 4096 characters and 64 different words; 400 for more, and for a text without a word.
            types: Comma-separated types of memories, spelled as in the answers: Decision, Pattern, Preference, Style, Habit, Insight, Context; default all. Another name is a 400.
            tags: Only memories with these tags.
            tag_mode: Default any.
            tag_match: Default prefix.
            since: The earliest timestamp of a memory, ISO 8601; 400 when it cannot be read.
            until: Only memories with a timestamp before this one, ISO 8601; 400 when it cannot be read.
            min_importance: The smallest importance of a memory; default 0.
            sort: By timestamp (`newest`, the default, or `oldest`), by importance, or by the last update.
            limit: Page size; default 50, clamped to 0..100. With 0, for the counts alone, `next_cursor` is null.
            cursor: `next_cursor` of the page before, with the same filter and sort; 400 for another text, and for a cursor of another filter.
            include_internal: Also memories that the service made for itself, such as MetaPattern; default false.
            facets: Also counts the memories of the filter by type, by tag and by time; default false.
            consistent_with: Memory-Position of a write that the answer should include: waits for it up to RECALL_CONSISTENT_WAIT_MS; `consistency` shows the result.
        """
        return cast(
            "ListMemoriesReply",
            self._call(
                "GET",
                "/memories",
                query={"text": text, "types": types, "tags": tags, "tag_mode": tag_mode, "tag_match": tag_match, "since": since, "until": until, "min_importance": min_importance, "sort": sort, "limit": limit, "cursor": cursor, "include_internal": include_internal, "facets": facets, "consistent_with": consistent_with},
            ),
        )

    def get_memory(
        self,
        id: str,
    ) -> GetMemoryReply:
        """Read one memory with its relations.
        Reads one memory with its associations in both directions.

        Args:
            id: The id of a memory, in any spelling of a UUID.
        """
        return cast(
            "GetMemoryReply",
            self._call(
                "GET",
                "/memory/{id}",
                path_values={"id": id},
            ),
        )

    def update_memory(
        self,
        id: str,
        *,
        idempotency_key: Union[str, None] = None,
        if_match: Union[str, None] = None,
        **body: Unpack[UpdateMemoryBody],
    ) -> UpdateMemoryReply:
        """Change a memory.
        Changes the given fields. `tags` and `metadata` replace the stored ones as a whole.

        Args:
            id: The id of a memory, in any spelling of a UUID.
        """
        return cast(
            "UpdateMemoryReply",
            self._call(
                "PATCH",
                "/memory/{id}",
                path_values={"id": id},
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
            ),
        )

    def delete_memory(
        self,
        id: str,
        *,
        idempotency_key: Union[str, None] = None,
        if_match: Union[str, None] = None,
    ) -> DeleteMemoryReply:
        """Delete a memory, its associations and its vector.
        Deletes one memory with its associations and its vector. A second call answers 404.

        Args:
            id: The id of a memory, in any spelling of a UUID.
        """
        return cast(
            "DeleteMemoryReply",
            self._call(
                "DELETE",
                "/memory/{id}",
                path_values={"id": id},
                repeatable=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
            ),
        )

    def associate(
        self,
        body: AssociateBody,
        *,
        idempotency_key: Union[str, None] = None,
    ) -> Union[AssociateReply, AssociatedBatch]:
        """Associate two memories, or up to 500 pairs.
        Writes one association, or with `associations` up to 500 of which single ones may fail (207). The same pair with the same type is updated.
        """
        return cast(
            "Union[AssociateReply, AssociatedBatch]",
            self._call(
                "POST",
                "/associate",
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    def list_neighbours(
        self,
        id: str,
        *,
        depth: Union[int, None] = None,
        include_semantic: Union[str, None] = None,
        semantic_limit: Union[int, None] = None,
        order: Union[Literal["importance", "strength"], None] = None,
    ) -> ListNeighboursReply:
        """The memories around one memory, by associations and by meaning.
        Reads one memory with the memories that associations of every type lead to, and the memories whose vectors are nearest. Without the vector index the answer has the first part alone.

        Args:
            id: The id of a memory, in any spelling of a UUID.
            depth: Associations between the memory and a neighbour, at most; default 1, clamped to 1..3.
            include_semantic: Whether the answer has memories with a similar meaning; default `true`, any other text is false.
            semantic_limit: Memories with a similar meaning, at most; default 5, clamped to 1..20.
            order: Which of the neighbours by associations come first, at the same distance: the most important ones, or those with the strongest associations; default importance.
        """
        return cast(
            "ListNeighboursReply",
            self._call(
                "GET",
                "/graph/neighbors/{id}",
                path_values={"id": id},
                query={"depth": depth, "include_semantic": include_semantic, "semantic_limit": semantic_limit, "order": order},
            ),
        )

    def list_related(
        self,
        key: str,
        *,
        relationship_types: Union[List[str], None] = None,
        max_depth: Union[int, None] = None,
        limit: Union[int, None] = None,
    ) -> ListRelatedReply:
        """Memories that associations lead to, over up to three steps.
        Follows associations in both directions and lists the memories that it reaches: most important first, then newest, then by id. An unknown id has none.

        Args:
            key: The id of a memory. Any other text names no memory.
            relationship_types: Comma-separated types of associations to follow; unknown ones are ignored. Without a known one: the eleven types that callers can write.
            max_depth: Associations between the memory and a result, at most; default 1, clamped to 1..3.
            limit: Memories in the answer; default RECALL_RELATION_LIMIT, clamped to 1..200.
        """
        return cast(
            "ListRelatedReply",
            self._call(
                "GET",
                "/memories/{key}/related",
                path_values={"key": key},
                query={"relationship_types": relationship_types, "max_depth": max_depth, "limit": limit},
            ),
        )

    def snapshot_graph(
        self,
        *,
        limit: Union[int, None] = None,
        offset: Union[int, None] = None,
        min_importance: Union[float, None] = None,
        types: Union[List[str], None] = None,
        since: Union[str, None] = None,
    ) -> SnapshotGraphReply:
        """The most important memories and the associations between them.
        Streams the most important memories of a selection, then every association between them, then the counts. A failure after the beginning cuts the connection.

        Args:
            limit: Memories, at most; default 500. 0, and every number above 50,000, is 50,000. A negative number is a 400.
            offset: For a client that has the first memories of the snapshot, at most 50,000: leaves out this number of them, which count for `limit`, and the associations among them. Default 0; a negative number is a 400.
            min_importance: The smallest importance of a memory; default 0, clamped to 0..1.
            types: Comma-separated types of memories, spelled as in the answers; default all. Other names select none.
            since: The earliest timestamp of a memory, ISO 8601; 400 when it cannot be read.
        """
        return cast(
            "SnapshotGraphReply",
            self._call(
                "GET",
                "/graph/snapshot",
                query={"limit": limit, "offset": offset, "min_importance": min_importance, "types": types, "since": since},
            ),
        )

    def graph_stats(
        self,
    ) -> GraphStatsReply:
        """Counts of memories and associations.
        Counts by type, by importance and by day, from counts and indexes that are kept with each write.
        """
        return cast(
            "GraphStatsReply",
            self._call(
                "GET",
                "/graph/stats",
            ),
        )

    def read_overview(
        self,
    ) -> ReadOverviewReply:
        """Memories, their growth, and the most used types, tags and entities.
        Counts for a first look, from counts and indexes that are kept with each write. A key with a tag cannot call it, because the counts are those of all memories.
        """
        return cast(
            "ReadOverviewReply",
            self._call(
                "GET",
                "/overview",
            ),
        )

    def analyze_memories(
        self,
    ) -> AnalyzeMemoriesReply:
        """Types, patterns, preferences and entities of the memories.
        Counts and lists for an overview. All but the counts are made from the newest memories, so the cost does not grow with the graph.
        """
        return cast(
            "AnalyzeMemoriesReply",
            self._call(
                "GET",
                "/analyze",
            ),
        )

    def startup_recall(
        self,
    ) -> StartupRecallReply:
        """Lessons and rules for the start of a session.
        Lists the ten most important memories tagged `critical`, `lesson` or `ai-assistant`, and five tagged `system` or `memory-recall`. Letter case counts; the state of a memory does not.
        """
        return cast(
            "StartupRecallReply",
            self._call(
                "GET",
                "/startup-recall",
            ),
        )

    def list_graph_types(
        self,
    ) -> ListGraphTypesReply:
        """The types of memories and their colours.
        Constant: for clients that draw the graph.
        """
        return cast(
            "ListGraphTypesReply",
            self._call(
                "GET",
                "/graph/types",
            ),
        )

    def list_graph_relations(
        self,
    ) -> ListGraphRelationsReply:
        """The types of associations and their colours.
        Constant: for clients that draw the graph. Internal types are left out.
        """
        return cast(
            "ListGraphRelationsReply",
            self._call(
                "GET",
                "/graph/relations",
            ),
        )

    def merge_entity(
        self,
        slug: str,
        *,
        category: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        **body: Unpack[MergeEntityBody],
    ) -> MergeEntityReply:
        """Make an entity an alias of another, and move its tags.
        The merged entity becomes an alias: its tags move to the other one, and enrichment uses the other one from now on. A repeated request continues a move that was interrupted.

        Args:
            slug: The slug of an entity, or an alias: `ann-lee`.
            category: Narrows slugs that several categories have; by default the most referenced one.
        """
        return cast(
            "MergeEntityReply",
            self._call(
                "POST",
                "/entity/{slug}/merge",
                path_values={"slug": slug},
                query={"category": category},
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    def unmerge_entity(
        self,
        slug: str,
        *,
        category: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
    ) -> UnmergeEntityReply:
        """Undo the merge of an entity.
        The alias becomes an entity again, with the memories that the merge took from it and the entities that were merged into it. Memories that were enriched since the merge are enriched again, so their contents decide which entity they name. Consolidation does not merge the two again. A repeated request continues a move that was interrupted.

        Args:
            slug: The slug of an entity, or an alias: `ann-lee`.
            category: Required when merged entities of several categories have the slug.
        """
        return cast(
            "UnmergeEntityReply",
            self._call(
                "POST",
                "/entity/{slug}/unmerge",
                path_values={"slug": slug},
                query={"category": category},
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    def list_entities(
        self,
        *,
        category: Union[str, None] = None,
        limit: Union[int, None] = None,
    ) -> ListEntitiesReply:
        """The entities that memories name, the most referenced first.
        Persons, organizations, tools, projects, concepts, events and opportunities that memories name by their tags. An entity exists as long as a memory has its tag.

        Args:
            category: Only entities of this category, for example `people`.
            limit: Default 100; above 500 counts as 500.
        """
        return cast(
            "ListEntitiesReply",
            self._call(
                "GET",
                "/entities",
                query={"category": category, "limit": limit},
            ),
        )

    def list_merge_candidates(
        self,
    ) -> ListMergeCandidatesReply:
        """Pairs of entities that may be the same.
        Pairs of the most referenced entities whose slugs are similar, or that share memories. Nothing is merged.
        """
        return cast(
            "ListMergeCandidatesReply",
            self._call(
                "GET",
                "/entities/merge-candidates",
            ),
        )

    def get_entity(
        self,
        slug: str,
        *,
        category: Union[str, None] = None,
    ) -> GetEntityReply:
        """One entity, by its slug or an alias.
        One entity with its aliases and the number of memories that name it.

        Args:
            slug: The slug of an entity, or an alias: `ann-lee`.
            category: Narrows a slug that several categories have; by default the most referenced one.
        """
        return cast(
            "GetEntityReply",
            self._call(
                "GET",
                "/entity/{slug}",
                path_values={"slug": slug},
                query={"category": category},
            ),
        )

    def audit_entities(
        self,
        *,
        summary: Union[bool, None] = None,
        include_merge_candidates: Union[bool, None] = None,
        limit: Union[int, None] = None,
        offset: Union[int, None] = None,
        category: Union[str, None] = None,
        reason: Union[str, None] = None,
    ) -> AuditEntitiesReply:
        """Which tags of entities the quality gate accepts, and why it rejects the others.
        Checks the tags of entities by the rules that enrichment applies. Nothing is changed.

        Args:
            summary: True: `accepted_sample` and `rejected_sample` with up to 10 items in place of the lists.
            include_merge_candidates: True: also pairs that may be the same.
            limit: Items of each list; default 100, above 500 counts as 500.
            offset: Items of each list that are left out; default 0.
            category: Only tags of this category.
            reason: Only tags that are rejected for this reason.
        """
        return cast(
            "AuditEntitiesReply",
            self._call(
                "GET",
                "/entities/audit",
                query={"summary": summary, "include_merge_candidates": include_merge_candidates, "limit": limit, "offset": offset, "category": category, "reason": reason},
            ),
        )

    def recall(
        self,
        *,
        query: Union[str, None] = None,
        queries: Union[List[str], None] = None,
        auto_decompose: Union[bool, None] = None,
        embedding: Union[List[float], None] = None,
        limit: Union[int, None] = None,
        per_query_limit: Union[int, None] = None,
        max_tokens: Union[int, None] = None,
        sort: Union[Literal["score", "time_desc", "time_asc", "updated_desc", "updated_asc"], None] = None,
        tags: Union[List[str], None] = None,
        exclude_tags: Union[List[str], None] = None,
        tag_mode: Union[Literal["any", "all"], None] = None,
        tag_match: Union[Literal["prefix", "exact"], None] = None,
        time_query: Union[str, None] = None,
        start: Union[str, None] = None,
        end: Union[str, None] = None,
        context: Union[str, None] = None,
        language: Union[str, None] = None,
        active_path: Union[str, None] = None,
        context_tags: Union[List[str], None] = None,
        context_types: Union[List[str], None] = None,
        priority_ids: Union[List[str], None] = None,
        expand_relations: Union[bool, None] = None,
        expand_entities: Union[bool, None] = None,
        expand_respect_tags: Union[bool, None] = None,
        relation_limit: Union[int, None] = None,
        expansion_limit: Union[int, None] = None,
        expand_min_importance: Union[float, None] = None,
        expand_min_strength: Union[float, None] = None,
        min_probability: Union[float, None] = None,
        min_score: Union[float, None] = None,
        adaptive_floor: Union[bool, None] = None,
        recency_bias: Union[Literal["auto", "on", "off"], None] = None,
        distinct_by: Union[str, None] = None,
        scope_fallback: Union[bool, None] = None,
        state_mode: Union[Literal["current", "history"], None] = None,
        current_only: Union[bool, None] = None,
        detail: Union[Literal["full", "compact"], None] = None,
        state_debug: Union[bool, None] = None,
        explain: Union[str, None] = None,
        consistent_with: Union[str, None] = None,
    ) -> RecallReply:
        """Find memories by meaning, words, tags and time.
        Ranks memories by a weighted sum of vector, keyword, tag, time and graph evidence. Without a query it lists trending memories. With a query or an embedding it first waits, up to RECALL_FRESH_WAIT_MS, until the index has every write that was answered before; not while the index is further behind than that, or stands still.

        Args:
            query: Natural language, of which the first 4,096 characters count; `*` or nothing lists trending memories.
            queries: Several queries in place of `query`, searched in parallel and merged by memory; more than 10 are rejected.
            auto_decompose: Also searches for the names and topics in the query; not with `queries`.
            embedding: Comma-separated numbers, as many as the vector size.
            limit: Default 5; clamped to 1..RECALL_MAX_LIMIT.
            per_query_limit: Largest number of results per query; default `limit`, clamped like it.
            max_tokens: Cuts the list of results, best first, to about this many tokens; memories stay whole. At least 1.
            sort: Default score; time_desc for a time window without a query.
            tags: Only memories with these tags.
            exclude_tags: Excludes memories with a tag that begins with one of these.
            tag_mode: Default any.
            tag_match: Default prefix.
            time_query: A time window in words: `last 7 days`, `q3 2024`, `two weeks ago` or `since march`; 400 when it cannot be parsed.
            start: ISO 8601; overrides the start of time_query.
            end: ISO 8601; overrides the end of time_query.
            context: A label for the work of the caller: memories with this tag rank higher.
            language: Programming language: memories about it and about style rank higher.
            active_path: The file that the caller edits; its extension gives the language.
            context_tags: Memories with these tags rank higher.
            context_types: Memories of these types rank higher.
            priority_ids: Memories that come first if they match the filters.
            expand_relations: Adds memories that are associated with the results.
            expand_entities: Adds memories about the people, places and organizations of the results.
            expand_respect_tags: Applies the tag filter to added memories, too.
            relation_limit: Associations followed from each result; default RECALL_RELATION_LIMIT. Clamped to 1..200.
            expansion_limit: Largest number of added memories; default RECALL_EXPANSION_LIMIT. Clamped to 1..500.
            expand_min_importance: Smallest importance of an added memory. Clamped to 0..1.
            expand_min_strength: Smallest strength of an association that is followed. Clamped to 0..1.
            min_probability: Smallest `match_probability` of a result; default 0. A listing without a query drops nothing. Clamped to 0..1.
            min_score: Smallest final score; default RECALL_MIN_SCORE. Clamped to 0..1.
            adaptive_floor: Drops results that score far below the best; default RECALL_ADAPTIVE_FLOOR.
            recency_bias: Ranks newer results higher; `auto`: when the query asks for recent memories. Default RECALL_RECENCY_BIAS.
            distinct_by: The metadata field that names the source of a memory: in a search by score, memories with the same value take one place, and `source_pieces` lists the others. `none`: each memory has its own place. Default source_id.
            scope_fallback: Adds memories outside the tags when the tags give too few results.
            state_mode: Default current.
            current_only: Older form of state_mode, which it overrides: true is current, false is history.
            detail: `compact` shows id, content, type, tags, score, match type and times of each result alone. Default full.
            state_debug: Adds suppressed and replaced memories to state_filter.
            explain: `true` adds the evidence of every source to each result; a memory id also explains why this memory is or is not a result.
            consistent_with: Memory-Position of a write that the answer should include: waits for it up to RECALL_CONSISTENT_WAIT_MS; `consistency` shows the result.
        """
        return cast(
            "RecallReply",
            self._call(
                "GET",
                "/recall",
                query={"query": query, "queries": queries, "auto_decompose": auto_decompose, "embedding": embedding, "limit": limit, "per_query_limit": per_query_limit, "max_tokens": max_tokens, "sort": sort, "tags": tags, "exclude_tags": exclude_tags, "tag_mode": tag_mode, "tag_match": tag_match, "time_query": time_query, "start": start, "end": end, "context": context, "language": language, "active_path": active_path, "context_tags": context_tags, "context_types": context_types, "priority_ids": priority_ids, "expand_relations": expand_relations, "expand_entities": expand_entities, "expand_respect_tags": expand_respect_tags, "relation_limit": relation_limit, "expansion_limit": expansion_limit, "expand_min_importance": expand_min_importance, "expand_min_strength": expand_min_strength, "min_probability": min_probability, "min_score": min_score, "adaptive_floor": adaptive_floor, "recency_bias": recency_bias, "distinct_by": distinct_by, "scope_fallback": scope_fallback, "state_mode": state_mode, "current_only": current_only, "detail": detail, "state_debug": state_debug, "explain": explain, "consistent_with": consistent_with},
                joined={"embedding"},
            ),
        )

    def reprocess(
        self,
        body: Union[ReprocessBody, None] = None,
        *,
        ids: Union[List[str], None] = None,
        idempotency_key: Union[str, None] = None,
    ) -> ReprocessReply:
        """Request a new enrichment of memories.
        Asks for a new enrichment of the listed memories, given in the body or in the query.

        Args:
            ids: Comma-separated memory ids; used when the body has none.
        """
        return cast(
            "ReprocessReply",
            self._call(
                "POST",
                "/enrichment/reprocess",
                query={"ids": ids},
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    def list_events(
        self,
        *,
        after: Union[str, None] = None,
        type: Union[List[str], None] = None,
        subject: Union[str, None] = None,
        limit: Union[int, None] = None,
        wait: Union[float, None] = None,
    ) -> ListEventsReply:
        """Read the journal of events, in order and from any position.
        Reads committed events in the order of their positions; `wait` holds the request until there is one.

        Args:
            after: Only events after this position: `next` of the previous answer. Default 0, the beginning.
            type: Only events of these types. One request reads at most 20000 positions, so an answer without events is the end only when `next` equals `head`.
            subject: Only events of this memory or key, by its id, or of this association, by its `source|TYPE|target`.
            limit: Default 100, clamped to 1..1000; large events make an answer shorter.
            wait: Seconds to wait for an event when there is none yet; default 0, clamped to 0..30.
        """
        return cast(
            "ListEventsReply",
            self._call(
                "GET",
                "/events",
                query={"after": after, "type": type, "subject": subject, "limit": limit, "wait": wait},
            ),
        )

    def list_history(
        self,
        id: str,
        *,
        after: Union[int, None] = None,
        limit: Union[int, None] = None,
    ) -> ListHistoryReply:
        """Every version of a memory, even of a deleted one.
        Every version of a memory with the event that made it, oldest first.

        Args:
            id: The id of a memory, in any spelling of a UUID.
            after: Only versions after this one: `next` of the previous answer. Default 0, the beginning.
            limit: Default 50, clamped to 1..200; large versions make an answer shorter.
        """
        return cast(
            "ListHistoryReply",
            self._call(
                "GET",
                "/memory/{id}/history",
                path_values={"id": id},
                query={"after": after, "limit": limit},
            ),
        )

    def stream_status(
        self,
    ) -> StreamStatusReply:
        """Number of clients of the live stream at this instance.
        How many clients watch the live stream of this instance.
        """
        return cast(
            "StreamStatusReply",
            self._call(
                "GET",
                "/stream/status",
            ),
        )

    def list_dead_letters(
        self,
        *,
        projector: Union[str, None] = None,
        after: Union[int, None] = None,
        limit: Union[int, None] = None,
    ) -> ListDeadLettersReply:
        """Events that a projector could not project, page by page.
        Lists events that failed permanently, oldest first.

        Args:
            projector: Only dead letters of this projector.
            after: Only dead letters after this id: `next` of the previous page.
            limit: Page size; default 100, clamped to 1..500.
        """
        return cast(
            "ListDeadLettersReply",
            self._call(
                "GET",
                "/admin/dead-letters",
                query={"projector": projector, "after": after, "limit": limit},
            ),
        )

    def redrive_dead_letters(
        self,
        body: RedriveDeadLettersBody,
    ) -> RedriveDeadLettersReply:
        """Try dead letters again.
        Lets the projector try these events again, chosen by id or by projector.
        """
        return cast(
            "RedriveDeadLettersReply",
            self._call(
                "POST",
                "/admin/dead-letters/redrive",
                body=body,
            ),
        )

    def discard_dead_letters(
        self,
        body: DiscardDeadLettersBody,
    ) -> DiscardDeadLettersReply:
        """Discard dead letters.
        Removes dead letters, chosen by id or by projector; their events stay in the journal.
        """
        return cast(
            "DiscardDeadLettersReply",
            self._call(
                "POST",
                "/admin/dead-letters/discard",
                body=body,
            ),
        )

    def list_projectors(
        self,
    ) -> ListProjectorsReply:
        """State of each projector and of its instances.
        Position, lag, counters and instances of each projector.
        """
        return cast(
            "ListProjectorsReply",
            self._call(
                "GET",
                "/admin/projectors",
            ),
        )

    def read_activity(
        self,
    ) -> ReadActivityReply:
        """Recalls, stores and changes of the last hour, and the lag of projectors.
        The last hour in steps of ten seconds. Recalls are those that the answering process keeps in memory since its start; stores and changes are counted in the journal, so they are those of the whole service.
        """
        return cast(
            "ReadActivityReply",
            self._call(
                "GET",
                "/activity",
            ),
        )

    def pause_projector(
        self,
        name: Literal["vector-indexer", "enricher"],
    ) -> PauseProjectorReply:
        """Pause a projector, in all its instances.
        Stops a projector after its present batch, until it is resumed.

        Args:
            name: The name of a projector.
        """
        return cast(
            "PauseProjectorReply",
            self._call(
                "POST",
                "/admin/projectors/{name}/pause",
                path_values={"name": name},
            ),
        )

    def resume_projector(
        self,
        name: Literal["vector-indexer", "enricher"],
    ) -> ResumeProjectorReply:
        """Resume a projector.
        Lets a paused projector go on.

        Args:
            name: The name of a projector.
        """
        return cast(
            "ResumeProjectorReply",
            self._call(
                "POST",
                "/admin/projectors/{name}/resume",
                path_values={"name": name},
            ),
        )

    def list_jobs(
        self,
    ) -> ListJobsReply:
        """Jobs of maintenance: the unfinished one, and the last ones that ended.
        The jobs of long maintenance, the newest first. At most one of them is unfinished.
        """
        return cast(
            "ListJobsReply",
            self._call(
                "GET",
                "/admin/jobs",
            ),
        )

    def get_job(
        self,
        job: str,
    ) -> GetJobReply:
        """State and progress of one job.
        One job with its progress, and with its error if it failed.

        Args:
            job: The id of a job.
        """
        return cast(
            "GetJobReply",
            self._call(
                "GET",
                "/admin/jobs/{job}",
                path_values={"job": job},
            ),
        )

    def rebuild_graph(
        self,
    ) -> RebuildGraphReply:
        """Bring the graph to the state of the journal, as a job.
        Applies the state of the journal to the graph again, as a job. What the graph lost returns; what it has stays as it is.
        """
        return cast(
            "RebuildGraphReply",
            self._call(
                "POST",
                "/admin/projections/graph/rebuild",
            ),
        )

    def sync_index(
        self,
        **body: Unpack[SyncIndexBody],
    ) -> SyncIndexReply:
        """Compare the vector index with the graph, and repair it.
        Finds memories without a point, points without a memory and points that differ from their memory, has the vector indexer repair them, and waits for it. One at a time: a second request is answered 409.
        """
        return cast(
            "SyncIndexReply",
            self._call(
                "POST",
                "/admin/sync",
                body=body,
            ),
        )

    def reembed(
        self,
        body: Union[ReembedBody, None] = None,
    ) -> Union[ReembedReply, ReembedReply202]:
        """Embed the contents of memories again.
        Embeds the contents of memories again, the newest first, and replaces their vectors. It runs as a job: the answer is 200 with the counts if the job ends soon, otherwise 202 with the job.
        """
        return cast(
            "Union[ReembedReply, ReembedReply202]",
            self._call(
                "POST",
                "/admin/reembed",
                body=body,
            ),
        )

    def rebuild_vectors(
        self,
        **body: Unpack[RebuildVectorsBody],
    ) -> RebuildVectorsReply:
        """Make the vector index again, optionally with another model.
        Starts a job that makes a second vector index, proves that it agrees with the graph, and then switches to it. Recall answers from the old one until then. The embedder is checked first: a wrong provider, model or size starts nothing.
        """
        return cast(
            "RebuildVectorsReply",
            self._call(
                "POST",
                "/admin/projections/vectors/rebuild",
                body=body,
            ),
        )

    def rollback_vectors(
        self,
    ) -> RollbackVectorsReply:
        """Return to the vector index before the last rebuild.
        Starts a job that brings the previous vector index up to date and switches back to it. 409 when there is none, or when another job is unfinished.
        """
        return cast(
            "RollbackVectorsReply",
            self._call(
                "POST",
                "/admin/projections/vectors/rollback",
            ),
        )

    def import_records(
        self,
        **body: Unpack[ImportRecordsBody],
    ) -> ImportRecordsReply:
        """Import memories and associations with their ids.
        Stores memories and associations of another service with their ids and times; what is there already stays as it is.
        """
        return cast(
            "ImportRecordsReply",
            self._call(
                "POST",
                "/admin/import",
                body=body,
            ),
        )

    def create_webhook(
        self,
        **body: Unpack[CreateWebhookBody],
    ) -> CreateWebhookReply:
        """Send events to an address.
        Registers an address that gets the events of the journal by POST, at least once, those of one memory in order. The answer shows the secret of the signatures once.
        """
        return cast(
            "CreateWebhookReply",
            self._call(
                "POST",
                "/admin/webhooks",
                body=body,
            ),
        )

    def list_webhooks(
        self,
    ) -> ListWebhooksReply:
        """All webhooks, with how far each one is.
        Lists every webhook with its position, and with its last error while its receiver fails.
        """
        return cast(
            "ListWebhooksReply",
            self._call(
                "GET",
                "/admin/webhooks",
            ),
        )

    def get_webhook(
        self,
        webhook: str,
    ) -> GetWebhookReply:
        """One webhook.
        One webhook with its position, and with its last error while its receiver fails.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "GetWebhookReply",
            self._call(
                "GET",
                "/admin/webhooks/{webhook}",
                path_values={"webhook": webhook},
            ),
        )

    def update_webhook(
        self,
        webhook: str,
        **body: Unpack[UpdateWebhookBody],
    ) -> UpdateWebhookReply:
        """Change, enable or disable a webhook.
        Changes what is named. A new choice of types or tags holds for events that are not yet sent.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "UpdateWebhookReply",
            self._call(
                "PATCH",
                "/admin/webhooks/{webhook}",
                path_values={"webhook": webhook},
                body=body,
            ),
        )

    def delete_webhook(
        self,
        webhook: str,
    ) -> DeleteWebhookReply:
        """Delete a webhook and its log.
        Deletes a webhook with its log. A delivery that has begun may still reach the receiver.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "DeleteWebhookReply",
            self._call(
                "DELETE",
                "/admin/webhooks/{webhook}",
                path_values={"webhook": webhook},
            ),
        )

    def rotate_webhook_secret(
        self,
        webhook: str,
        **body: Unpack[RotateWebhookSecretBody],
    ) -> RotateWebhookSecretReply:
        """Replace the secret of a webhook.
        Makes a new secret and shows it once. Until the end of the overlap each event carries two signatures, of the new and of the previous secret.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "RotateWebhookSecretReply",
            self._call(
                "POST",
                "/admin/webhooks/{webhook}/rotate-secret",
                path_values={"webhook": webhook},
                body=body,
            ),
        )

    def replay_webhook(
        self,
        webhook: str,
        **body: Unpack[ReplayWebhookBody],
    ) -> ReplayWebhookReply:
        """Send events again from a position.
        Sets the webhook back to a position of the journal: it sends every event after it again.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "ReplayWebhookReply",
            self._call(
                "POST",
                "/admin/webhooks/{webhook}/replay",
                path_values={"webhook": webhook},
                body=body,
            ),
        )

    def list_webhook_deliveries(
        self,
        webhook: str,
        *,
        state: Union[Literal["delivered", "failing"], None] = None,
        before: Union[int, None] = None,
        limit: Union[int, None] = None,
    ) -> ListWebhookDeliveriesReply:
        """What a webhook delivered in the last 7 days, and what fails.
        Lists the deliveries of one webhook by position, newest first.

        Args:
            webhook: The id of a webhook.
            state: Only deliveries in this state.
            before: Only deliveries of events before this position: `next` of the page before.
            limit: Page size; default 100, clamped to 1..500.
        """
        return cast(
            "ListWebhookDeliveriesReply",
            self._call(
                "GET",
                "/admin/webhooks/{webhook}/deliveries",
                path_values={"webhook": webhook},
                query={"state": state, "before": before, "limit": limit},
            ),
        )

    def create_key(
        self,
        **body: Unpack[CreateKeyBody],
    ) -> CreateKeyReply:
        """Make a key with scopes of its own.
        Makes a key for an agent or a person. The answer shows it once; the service stores only its hash. Events name the key.
        """
        return cast(
            "CreateKeyReply",
            self._call(
                "POST",
                "/admin/keys",
                body=body,
            ),
        )

    def list_keys(
        self,
    ) -> ListKeysReply:
        """All keys, with their scopes and last use.
        Lists every key that was not revoked, without the keys themselves.
        """
        return cast(
            "ListKeysReply",
            self._call(
                "GET",
                "/admin/keys",
            ),
        )

    def rotate_key(
        self,
        key_id: str,
        **body: Unpack[RotateKeyBody],
    ) -> RotateKeyReply:
        """Replace a key.
        Makes a new key with the same name, scopes, tag and rate, and shows it once. Until the end of the overlap the key before works as well.

        Args:
            key_id: The id of a key.
        """
        return cast(
            "RotateKeyReply",
            self._call(
                "POST",
                "/admin/keys/{key_id}/rotate",
                path_values={"key_id": key_id},
                body=body,
            ),
        )

    def revoke_key(
        self,
        key_id: str,
    ) -> RevokeKeyReply:
        """Revoke a key.
        Deletes a key. Every process refuses it within a second, and ends its streams.

        Args:
            key_id: The id of a key.
        """
        return cast(
            "RevokeKeyReply",
            self._call(
                "DELETE",
                "/admin/keys/{key_id}",
                path_values={"key_id": key_id},
            ),
        )

    def create_tenant(
        self,
        **body: Unpack[CreateTenantBody],
    ) -> CreateTenantReply:
        """Make a tenant.
        Makes a closed space of memories with its own journal, graph, vectors, jobs, webhooks and keys. It has no key yet: make its first one with POST /admin/tenants/{tenant_id}/keys.
        """
        return cast(
            "CreateTenantReply",
            self._call(
                "POST",
                "/admin/tenants",
                body=body,
            ),
        )

    def list_tenants(
        self,
    ) -> ListTenantsReply:
        """All tenants, with their state and size.
        Lists every tenant but the default one.
        """
        return cast(
            "ListTenantsReply",
            self._call(
                "GET",
                "/admin/tenants",
            ),
        )

    def update_tenant(
        self,
        tenant_id: str,
        **body: Unpack[UpdateTenantBody],
    ) -> UpdateTenantReply:
        """Suspend a tenant, end its suspension, or set its limits.
        A suspended tenant keeps its data and its keys. Each request with one of its keys gets 403 with the reason, and its open streams end within a second. Limits hold within a second, too.

        Args:
            tenant_id: The id of a tenant.
        """
        return cast(
            "UpdateTenantReply",
            self._call(
                "PATCH",
                "/admin/tenants/{tenant_id}",
                path_values={"tenant_id": tenant_id},
                body=body,
            ),
        )

    def delete_tenant(
        self,
        tenant_id: str,
    ) -> DeleteTenantReply:
        """Delete a tenant with all of its data and keys.
        Refuses its keys within a second, ends its work and removes its data. It goes on after a failure or a crash. The answer names where data can still be.

        Args:
            tenant_id: The id of a tenant.
        """
        return cast(
            "DeleteTenantReply",
            self._call(
                "DELETE",
                "/admin/tenants/{tenant_id}",
                path_values={"tenant_id": tenant_id},
            ),
        )

    def create_tenant_key(
        self,
        tenant_id: str,
        **body: Unpack[CreateTenantKeyBody],
    ) -> CreateTenantKeyReply:
        """Make a key of a tenant.
        Makes a key that sees and changes this tenant alone. With the scope admin:keys its holder makes the further keys of the tenant with POST /admin/keys.

        Args:
            tenant_id: The id of a tenant.
        """
        return cast(
            "CreateTenantKeyReply",
            self._call(
                "POST",
                "/admin/tenants/{tenant_id}/keys",
                path_values={"tenant_id": tenant_id},
                body=body,
            ),
        )

    def consolidate(
        self,
        **body: Unpack[ConsolidateBody],
    ) -> Union[ConsolidateReply, ConsolidateReply202]:
        """Consolidate the memories: relevance, discoveries, clusters, forgetting.
        Computes the relevance of memories, looks for associations and clusters, and forgets what became irrelevant. A dry run, the default, writes nothing. It runs as a job: the answer is 200 with the result if the job ends soon, otherwise 202 with the job. A second request meanwhile is answered 409.
        """
        return cast(
            "Union[ConsolidateReply, ConsolidateReply202]",
            self._call(
                "POST",
                "/consolidate",
                body=body,
            ),
        )

    def consolidation_status(
        self,
    ) -> ConsolidationStatusReply:
        """Next runs and history of consolidation.
        When each task of the schedule runs next, and the last runs that were not dry, with their results.
        """
        return cast(
            "ConsolidationStatusReply",
            self._call(
                "GET",
                "/consolidate/status",
            ),
        )

    def restore_memory(
        self,
        id: str,
        *,
        idempotency_key: Union[str, None] = None,
        if_match: Union[str, None] = None,
    ) -> RestoreMemoryReply:
        """Restore an archived memory, and protect it from being archived again.
        Undoes the archiving of a memory. The memory becomes protected, so that consolidation leaves it alone.

        Args:
            id: The id of a memory, in any spelling of a UUID.
        """
        return cast(
            "RestoreMemoryReply",
            self._call(
                "POST",
                "/admin/memories/{id}/restore",
                path_values={"id": id},
                repeatable=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
            ),
        )

    def enrichment_status(
        self,
    ) -> EnrichmentStatusReply:
        """State of background enrichment.
        The queue and the counters of background enrichment.
        """
        return cast(
            "EnrichmentStatusReply",
            self._call(
                "GET",
                "/enrichment/status",
            ),
        )

    def health(
        self,
    ) -> HealthReply:
        """Health of the databases and of background work.
        Reports each database and the background work. Always 200; `status` is healthy or degraded.
        """
        return cast(
            "HealthReply",
            self._call(
                "GET",
                "/health",
            ),
        )

    def index(
        self,
    ) -> IndexReply:
        """Where the description of the API is.
        Names the addresses of this document and of the health report.
        """
        return cast(
            "IndexReply",
            self._call(
                "GET",
                "/",
            ),
        )

    def livez(
        self,
    ) -> LivezReply:
        """The process runs.
        For the liveness probe of an orchestrator.
        """
        return cast(
            "LivezReply",
            self._call(
                "GET",
                "/livez",
            ),
        )

    def readyz(
        self,
    ) -> ReadyzReply:
        """The process can serve.
        For the readiness probe of an orchestrator: 503 while requests would fail.
        """
        return cast(
            "ReadyzReply",
            self._call(
                "GET",
                "/readyz",
            ),
        )

    def openapi(
        self,
    ) -> OpenapiReply:
        """This document.
        The OpenAPI document of the service.
        """
        return cast(
            "OpenapiReply",
            self._call(
                "GET",
                "/openapi.json",
            ),
        )


class AsyncOperations:
    """The same methods for asyncio."""

    async def _call(self, method: str, path: str, **given: Any) -> Any:
        raise NotImplementedError

    async def store_memory(
        self,
        *,
        idempotency_key: Union[str, None] = None,
        **body: Unpack[StoreMemoryBody],
    ) -> StoreMemoryReply:
        """Store a memory.
        Stores one memory under a new id. The answer comes after the commit; the vector and the enrichment follow in the background, unless the request has an embedding.
        """
        return cast(
            "StoreMemoryReply",
            await self._call(
                "POST",
                "/memory",
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    async def store_batch(
        self,
        *,
        idempotency_key: Union[str, None] = None,
        **body: Unpack[StoreBatchBody],
    ) -> StoreBatchReply:
        """Store up to 500 memories, all or none.
        Stores up to 500 memories in one commit, and waits for their vectors up to a limit of time.
        """
        return cast(
            "StoreBatchReply",
            await self._call(
                "POST",
                "/memory/batch",
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    async def list_by_tag(
        self,
        *,
        tags: List[str],
        limit: Union[int, None] = None,
        offset: Union[int, None] = None,
        consistent_with: Union[str, None] = None,
    ) -> ListByTagReply:
        """List memories by tag, page by page.
        Lists memories with any of the tags: most important first, then newest, then by id. Nothing is ranked or hidden.

        Args:
            tags: Memories with any of these whole tags, in any letter case. Repeat the parameter for more than one tag.
            limit: Page size; default 20, clamped to 1..200.
            offset: Memories to skip; default 0. At least 0.
            consistent_with: Memory-Position of a write that the answer should include: waits for it up to RECALL_CONSISTENT_WAIT_MS; `consistency` shows the result.
        """
        return cast(
            "ListByTagReply",
            await self._call(
                "GET",
                "/memory/by-tag",
                query={"tags": tags, "limit": limit, "offset": offset, "consistent_with": consistent_with},
            ),
        )

    async def delete_by_tag(
        self,
        *,
        tags: List[str],
        idempotency_key: Union[str, None] = None,
    ) -> DeleteByTagReply:
        """Delete every memory with one of the tags.
        Deletes every memory with one of the tags, in rounds of 200.

        Args:
            tags: Memories with any of these whole tags, in any letter case. Repeat the parameter for more than one tag.
        """
        return cast(
            "DeleteByTagReply",
            await self._call(
                "DELETE",
                "/memory/by-tag",
                query={"tags": tags},
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    async def list_memories(
        self,
        *,
        text: Union[str, None] = None,
        types: Union[List[str], None] = None,
        tags: Union[List[str], None] = None,
        tag_mode: Union[Literal["any", "all"], None] = None,
        tag_match: Union[Literal["prefix", "exact"], None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        min_importance: Union[float, None] = None,
        sort: Union[Literal["newest", "oldest", "importance", "updated"], None] = None,
        limit: Union[int, None] = None,
        cursor: Union[str, None] = None,
        include_internal: Union[bool, None] = None,
        facets: Union[bool, None] = None,
        consistent_with: Union[str, None] = None,
    ) -> ListMemoriesReply:
        """List memories by words, type, tag and time, page by page.
        Lists every memory that the filter admits, whatever its state. Nothing is ranked, and the reading does not count as an access. A page ends early at 1 MB, or after 20,000 memories that the filter does not admit: follow `next_cursor` until it is null.

        Args:
            text: Only memories that have each of these words in the content or in a tag, in any form: `meeting` also finds `meetings`. Words such as `the` count only when there are no others. At most 4096 characters and 64 different words; 400 for more, and for a text without a word.
            types: Comma-separated types of memories, spelled as in the answers: Decision, Pattern, Preference, Style, Habit, Insight, Context; default all. Another name is a 400.
            tags: Only memories with these tags.
            tag_mode: Default any.
            tag_match: Default prefix.
            since: The earliest timestamp of a memory, ISO 8601; 400 when it cannot be read.
            until: Only memories with a timestamp before this one, ISO 8601; 400 when it cannot be read.
            min_importance: The smallest importance of a memory; default 0.
            sort: By timestamp (`newest`, the default, or `oldest`), by importance, or by the last update.
            limit: Page size; default 50, clamped to 0..100. With 0, for the counts alone, `next_cursor` is null.
            cursor: `next_cursor` of the page before, with the same filter and sort; 400 for another text, and for a cursor of another filter.
            include_internal: Also memories that the service made for itself, such as MetaPattern; default false.
            facets: Also counts the memories of the filter by type, by tag and by time; default false.
            consistent_with: Memory-Position of a write that the answer should include: waits for it up to RECALL_CONSISTENT_WAIT_MS; `consistency` shows the result.
        """
        return cast(
            "ListMemoriesReply",
            await self._call(
                "GET",
                "/memories",
                query={"text": text, "types": types, "tags": tags, "tag_mode": tag_mode, "tag_match": tag_match, "since": since, "until": until, "min_importance": min_importance, "sort": sort, "limit": limit, "cursor": cursor, "include_internal": include_internal, "facets": facets, "consistent_with": consistent_with},
            ),
        )

    async def get_memory(
        self,
        id: str,
    ) -> GetMemoryReply:
        """Read one memory with its relations.
        Reads one memory with its associations in both directions.

        Args:
            id: The id of a memory, in any spelling of a UUID.
        """
        return cast(
            "GetMemoryReply",
            await self._call(
                "GET",
                "/memory/{id}",
                path_values={"id": id},
            ),
        )

    async def update_memory(
        self,
        id: str,
        *,
        idempotency_key: Union[str, None] = None,
        if_match: Union[str, None] = None,
        **body: Unpack[UpdateMemoryBody],
    ) -> UpdateMemoryReply:
        """Change a memory.
        Changes the given fields. `tags` and `metadata` replace the stored ones as a whole.

        Args:
            id: The id of a memory, in any spelling of a UUID.
        """
        return cast(
            "UpdateMemoryReply",
            await self._call(
                "PATCH",
                "/memory/{id}",
                path_values={"id": id},
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
            ),
        )

    async def delete_memory(
        self,
        id: str,
        *,
        idempotency_key: Union[str, None] = None,
        if_match: Union[str, None] = None,
    ) -> DeleteMemoryReply:
        """Delete a memory, its associations and its vector.
        Deletes one memory with its associations and its vector. A second call answers 404.

        Args:
            id: The id of a memory, in any spelling of a UUID.
        """
        return cast(
            "DeleteMemoryReply",
            await self._call(
                "DELETE",
                "/memory/{id}",
                path_values={"id": id},
                repeatable=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
            ),
        )

    async def associate(
        self,
        body: AssociateBody,
        *,
        idempotency_key: Union[str, None] = None,
    ) -> Union[AssociateReply, AssociatedBatch]:
        """Associate two memories, or up to 500 pairs.
        Writes one association, or with `associations` up to 500 of which single ones may fail (207). The same pair with the same type is updated.
        """
        return cast(
            "Union[AssociateReply, AssociatedBatch]",
            await self._call(
                "POST",
                "/associate",
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    async def list_neighbours(
        self,
        id: str,
        *,
        depth: Union[int, None] = None,
        include_semantic: Union[str, None] = None,
        semantic_limit: Union[int, None] = None,
        order: Union[Literal["importance", "strength"], None] = None,
    ) -> ListNeighboursReply:
        """The memories around one memory, by associations and by meaning.
        Reads one memory with the memories that associations of every type lead to, and the memories whose vectors are nearest. Without the vector index the answer has the first part alone.

        Args:
            id: The id of a memory, in any spelling of a UUID.
            depth: Associations between the memory and a neighbour, at most; default 1, clamped to 1..3.
            include_semantic: Whether the answer has memories with a similar meaning; default `true`, any other text is false.
            semantic_limit: Memories with a similar meaning, at most; default 5, clamped to 1..20.
            order: Which of the neighbours by associations come first, at the same distance: the most important ones, or those with the strongest associations; default importance.
        """
        return cast(
            "ListNeighboursReply",
            await self._call(
                "GET",
                "/graph/neighbors/{id}",
                path_values={"id": id},
                query={"depth": depth, "include_semantic": include_semantic, "semantic_limit": semantic_limit, "order": order},
            ),
        )

    async def list_related(
        self,
        key: str,
        *,
        relationship_types: Union[List[str], None] = None,
        max_depth: Union[int, None] = None,
        limit: Union[int, None] = None,
    ) -> ListRelatedReply:
        """Memories that associations lead to, over up to three steps.
        Follows associations in both directions and lists the memories that it reaches: most important first, then newest, then by id. An unknown id has none.

        Args:
            key: The id of a memory. Any other text names no memory.
            relationship_types: Comma-separated types of associations to follow; unknown ones are ignored. Without a known one: the eleven types that callers can write.
            max_depth: Associations between the memory and a result, at most; default 1, clamped to 1..3.
            limit: Memories in the answer; default RECALL_RELATION_LIMIT, clamped to 1..200.
        """
        return cast(
            "ListRelatedReply",
            await self._call(
                "GET",
                "/memories/{key}/related",
                path_values={"key": key},
                query={"relationship_types": relationship_types, "max_depth": max_depth, "limit": limit},
            ),
        )

    async def snapshot_graph(
        self,
        *,
        limit: Union[int, None] = None,
        offset: Union[int, None] = None,
        min_importance: Union[float, None] = None,
        types: Union[List[str], None] = None,
        since: Union[str, None] = None,
    ) -> SnapshotGraphReply:
        """The most important memories and the associations between them.
        Streams the most important memories of a selection, then every association between them, then the counts. A failure after the beginning cuts the connection.

        Args:
            limit: Memories, at most; default 500. 0, and every number above 50,000, is 50,000. A negative number is a 400.
            offset: For a client that has the first memories of the snapshot, at most 50,000: leaves out this number of them, which count for `limit`, and the associations among them. Default 0; a negative number is a 400.
            min_importance: The smallest importance of a memory; default 0, clamped to 0..1.
            types: Comma-separated types of memories, spelled as in the answers; default all. Other names select none.
            since: The earliest timestamp of a memory, ISO 8601; 400 when it cannot be read.
        """
        return cast(
            "SnapshotGraphReply",
            await self._call(
                "GET",
                "/graph/snapshot",
                query={"limit": limit, "offset": offset, "min_importance": min_importance, "types": types, "since": since},
            ),
        )

    async def graph_stats(
        self,
    ) -> GraphStatsReply:
        """Counts of memories and associations.
        Counts by type, by importance and by day, from counts and indexes that are kept with each write.
        """
        return cast(
            "GraphStatsReply",
            await self._call(
                "GET",
                "/graph/stats",
            ),
        )

    async def read_overview(
        self,
    ) -> ReadOverviewReply:
        """Memories, their growth, and the most used types, tags and entities.
        Counts for a first look, from counts and indexes that are kept with each write. A key with a tag cannot call it, because the counts are those of all memories.
        """
        return cast(
            "ReadOverviewReply",
            await self._call(
                "GET",
                "/overview",
            ),
        )

    async def analyze_memories(
        self,
    ) -> AnalyzeMemoriesReply:
        """Types, patterns, preferences and entities of the memories.
        Counts and lists for an overview. All but the counts are made from the newest memories, so the cost does not grow with the graph.
        """
        return cast(
            "AnalyzeMemoriesReply",
            await self._call(
                "GET",
                "/analyze",
            ),
        )

    async def startup_recall(
        self,
    ) -> StartupRecallReply:
        """Lessons and rules for the start of a session.
        Lists the ten most important memories tagged `critical`, `lesson` or `ai-assistant`, and five tagged `system` or `memory-recall`. Letter case counts; the state of a memory does not.
        """
        return cast(
            "StartupRecallReply",
            await self._call(
                "GET",
                "/startup-recall",
            ),
        )

    async def list_graph_types(
        self,
    ) -> ListGraphTypesReply:
        """The types of memories and their colours.
        Constant: for clients that draw the graph.
        """
        return cast(
            "ListGraphTypesReply",
            await self._call(
                "GET",
                "/graph/types",
            ),
        )

    async def list_graph_relations(
        self,
    ) -> ListGraphRelationsReply:
        """The types of associations and their colours.
        Constant: for clients that draw the graph. Internal types are left out.
        """
        return cast(
            "ListGraphRelationsReply",
            await self._call(
                "GET",
                "/graph/relations",
            ),
        )

    async def merge_entity(
        self,
        slug: str,
        *,
        category: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
        **body: Unpack[MergeEntityBody],
    ) -> MergeEntityReply:
        """Make an entity an alias of another, and move its tags.
        The merged entity becomes an alias: its tags move to the other one, and enrichment uses the other one from now on. A repeated request continues a move that was interrupted.

        Args:
            slug: The slug of an entity, or an alias: `ann-lee`.
            category: Narrows slugs that several categories have; by default the most referenced one.
        """
        return cast(
            "MergeEntityReply",
            await self._call(
                "POST",
                "/entity/{slug}/merge",
                path_values={"slug": slug},
                query={"category": category},
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    async def unmerge_entity(
        self,
        slug: str,
        *,
        category: Union[str, None] = None,
        idempotency_key: Union[str, None] = None,
    ) -> UnmergeEntityReply:
        """Undo the merge of an entity.
        The alias becomes an entity again, with the memories that the merge took from it and the entities that were merged into it. Memories that were enriched since the merge are enriched again, so their contents decide which entity they name. Consolidation does not merge the two again. A repeated request continues a move that was interrupted.

        Args:
            slug: The slug of an entity, or an alias: `ann-lee`.
            category: Required when merged entities of several categories have the slug.
        """
        return cast(
            "UnmergeEntityReply",
            await self._call(
                "POST",
                "/entity/{slug}/unmerge",
                path_values={"slug": slug},
                query={"category": category},
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    async def list_entities(
        self,
        *,
        category: Union[str, None] = None,
        limit: Union[int, None] = None,
    ) -> ListEntitiesReply:
        """The entities that memories name, the most referenced first.
        Persons, organizations, tools, projects, concepts, events and opportunities that memories name by their tags. An entity exists as long as a memory has its tag.

        Args:
            category: Only entities of this category, for example `people`.
            limit: Default 100; above 500 counts as 500.
        """
        return cast(
            "ListEntitiesReply",
            await self._call(
                "GET",
                "/entities",
                query={"category": category, "limit": limit},
            ),
        )

    async def list_merge_candidates(
        self,
    ) -> ListMergeCandidatesReply:
        """Pairs of entities that may be the same.
        Pairs of the most referenced entities whose slugs are similar, or that share memories. Nothing is merged.
        """
        return cast(
            "ListMergeCandidatesReply",
            await self._call(
                "GET",
                "/entities/merge-candidates",
            ),
        )

    async def get_entity(
        self,
        slug: str,
        *,
        category: Union[str, None] = None,
    ) -> GetEntityReply:
        """One entity, by its slug or an alias.
        One entity with its aliases and the number of memories that name it.

        Args:
            slug: The slug of an entity, or an alias: `ann-lee`.
            category: Narrows a slug that several categories have; by default the most referenced one.
        """
        return cast(
            "GetEntityReply",
            await self._call(
                "GET",
                "/entity/{slug}",
                path_values={"slug": slug},
                query={"category": category},
            ),
        )

    async def audit_entities(
        self,
        *,
        summary: Union[bool, None] = None,
        include_merge_candidates: Union[bool, None] = None,
        limit: Union[int, None] = None,
        offset: Union[int, None] = None,
        category: Union[str, None] = None,
        reason: Union[str, None] = None,
    ) -> AuditEntitiesReply:
        """Which tags of entities the quality gate accepts, and why it rejects the others.
        Checks the tags of entities by the rules that enrichment applies. Nothing is changed.

        Args:
            summary: True: `accepted_sample` and `rejected_sample` with up to 10 items in place of the lists.
            include_merge_candidates: True: also pairs that may be the same.
            limit: Items of each list; default 100, above 500 counts as 500.
            offset: Items of each list that are left out; default 0.
            category: Only tags of this category.
            reason: Only tags that are rejected for this reason.
        """
        return cast(
            "AuditEntitiesReply",
            await self._call(
                "GET",
                "/entities/audit",
                query={"summary": summary, "include_merge_candidates": include_merge_candidates, "limit": limit, "offset": offset, "category": category, "reason": reason},
            ),
        )

    async def recall(
        self,
        *,
        query: Union[str, None] = None,
        queries: Union[List[str], None] = None,
        auto_decompose: Union[bool, None] = None,
        embedding: Union[List[float], None] = None,
        limit: Union[int, None] = None,
        per_query_limit: Union[int, None] = None,
        max_tokens: Union[int, None] = None,
        sort: Union[Literal["score", "time_desc", "time_asc", "updated_desc", "updated_asc"], None] = None,
        tags: Union[List[str], None] = None,
        exclude_tags: Union[List[str], None] = None,
        tag_mode: Union[Literal["any", "all"], None] = None,
        tag_match: Union[Literal["prefix", "exact"], None] = None,
        time_query: Union[str, None] = None,
        start: Union[str, None] = None,
        end: Union[str, None] = None,
        context: Union[str, None] = None,
        language: Union[str, None] = None,
        active_path: Union[str, None] = None,
        context_tags: Union[List[str], None] = None,
        context_types: Union[List[str], None] = None,
        priority_ids: Union[List[str], None] = None,
        expand_relations: Union[bool, None] = None,
        expand_entities: Union[bool, None] = None,
        expand_respect_tags: Union[bool, None] = None,
        relation_limit: Union[int, None] = None,
        expansion_limit: Union[int, None] = None,
        expand_min_importance: Union[float, None] = None,
        expand_min_strength: Union[float, None] = None,
        min_probability: Union[float, None] = None,
        min_score: Union[float, None] = None,
        adaptive_floor: Union[bool, None] = None,
        recency_bias: Union[Literal["auto", "on", "off"], None] = None,
        distinct_by: Union[str, None] = None,
        scope_fallback: Union[bool, None] = None,
        state_mode: Union[Literal["current", "history"], None] = None,
        current_only: Union[bool, None] = None,
        detail: Union[Literal["full", "compact"], None] = None,
        state_debug: Union[bool, None] = None,
        explain: Union[str, None] = None,
        consistent_with: Union[str, None] = None,
    ) -> RecallReply:
        """Find memories by meaning, words, tags and time.
        Ranks memories by a weighted sum of vector, keyword, tag, time and graph evidence. Without a query it lists trending memories. With a query or an embedding it first waits, up to RECALL_FRESH_WAIT_MS, until the index has every write that was answered before; not while the index is further behind than that, or stands still.

        Args:
            query: Natural language, of which the first 4,096 characters count; `*` or nothing lists trending memories.
            queries: Several queries in place of `query`, searched in parallel and merged by memory; more than 10 are rejected.
            auto_decompose: Also searches for the names and topics in the query; not with `queries`.
            embedding: Comma-separated numbers, as many as the vector size.
            limit: Default 5; clamped to 1..RECALL_MAX_LIMIT.
            per_query_limit: Largest number of results per query; default `limit`, clamped like it.
            max_tokens: Cuts the list of results, best first, to about this many tokens; memories stay whole. At least 1.
            sort: Default score; time_desc for a time window without a query.
            tags: Only memories with these tags.
            exclude_tags: Excludes memories with a tag that begins with one of these.
            tag_mode: Default any.
            tag_match: Default prefix.
            time_query: A time window in words: `last 7 days`, `q3 2024`, `two weeks ago` or `since march`; 400 when it cannot be parsed.
            start: ISO 8601; overrides the start of time_query.
            end: ISO 8601; overrides the end of time_query.
            context: A label for the work of the caller: memories with this tag rank higher.
            language: Programming language: memories about it and about style rank higher.
            active_path: The file that the caller edits; its extension gives the language.
            context_tags: Memories with these tags rank higher.
            context_types: Memories of these types rank higher.
            priority_ids: Memories that come first if they match the filters.
            expand_relations: Adds memories that are associated with the results.
            expand_entities: Adds memories about the people, places and organizations of the results.
            expand_respect_tags: Applies the tag filter to added memories, too.
            relation_limit: Associations followed from each result; default RECALL_RELATION_LIMIT. Clamped to 1..200.
            expansion_limit: Largest number of added memories; default RECALL_EXPANSION_LIMIT. Clamped to 1..500.
            expand_min_importance: Smallest importance of an added memory. Clamped to 0..1.
            expand_min_strength: Smallest strength of an association that is followed. Clamped to 0..1.
            min_probability: Smallest `match_probability` of a result; default 0. A listing without a query drops nothing. Clamped to 0..1.
            min_score: Smallest final score; default RECALL_MIN_SCORE. Clamped to 0..1.
            adaptive_floor: Drops results that score far below the best; default RECALL_ADAPTIVE_FLOOR.
            recency_bias: Ranks newer results higher; `auto`: when the query asks for recent memories. Default RECALL_RECENCY_BIAS.
            distinct_by: The metadata field that names the source of a memory: in a search by score, memories with the same value take one place, and `source_pieces` lists the others. `none`: each memory has its own place. Default source_id.
            scope_fallback: Adds memories outside the tags when the tags give too few results.
            state_mode: Default current.
            current_only: Older form of state_mode, which it overrides: true is current, false is history.
            detail: `compact` shows id, content, type, tags, score, match type and times of each result alone. Default full.
            state_debug: Adds suppressed and replaced memories to state_filter.
            explain: `true` adds the evidence of every source to each result; a memory id also explains why this memory is or is not a result.
            consistent_with: Memory-Position of a write that the answer should include: waits for it up to RECALL_CONSISTENT_WAIT_MS; `consistency` shows the result.
        """
        return cast(
            "RecallReply",
            await self._call(
                "GET",
                "/recall",
                query={"query": query, "queries": queries, "auto_decompose": auto_decompose, "embedding": embedding, "limit": limit, "per_query_limit": per_query_limit, "max_tokens": max_tokens, "sort": sort, "tags": tags, "exclude_tags": exclude_tags, "tag_mode": tag_mode, "tag_match": tag_match, "time_query": time_query, "start": start, "end": end, "context": context, "language": language, "active_path": active_path, "context_tags": context_tags, "context_types": context_types, "priority_ids": priority_ids, "expand_relations": expand_relations, "expand_entities": expand_entities, "expand_respect_tags": expand_respect_tags, "relation_limit": relation_limit, "expansion_limit": expansion_limit, "expand_min_importance": expand_min_importance, "expand_min_strength": expand_min_strength, "min_probability": min_probability, "min_score": min_score, "adaptive_floor": adaptive_floor, "recency_bias": recency_bias, "distinct_by": distinct_by, "scope_fallback": scope_fallback, "state_mode": state_mode, "current_only": current_only, "detail": detail, "state_debug": state_debug, "explain": explain, "consistent_with": consistent_with},
                joined={"embedding"},
            ),
        )

    async def reprocess(
        self,
        body: Union[ReprocessBody, None] = None,
        *,
        ids: Union[List[str], None] = None,
        idempotency_key: Union[str, None] = None,
    ) -> ReprocessReply:
        """Request a new enrichment of memories.
        Asks for a new enrichment of the listed memories, given in the body or in the query.

        Args:
            ids: Comma-separated memory ids; used when the body has none.
        """
        return cast(
            "ReprocessReply",
            await self._call(
                "POST",
                "/enrichment/reprocess",
                query={"ids": ids},
                body=body,
                repeatable=True,
                idempotency_key=idempotency_key,
            ),
        )

    async def list_events(
        self,
        *,
        after: Union[str, None] = None,
        type: Union[List[str], None] = None,
        subject: Union[str, None] = None,
        limit: Union[int, None] = None,
        wait: Union[float, None] = None,
    ) -> ListEventsReply:
        """Read the journal of events, in order and from any position.
        Reads committed events in the order of their positions; `wait` holds the request until there is one.

        Args:
            after: Only events after this position: `next` of the previous answer. Default 0, the beginning.
            type: Only events of these types. One request reads at most 20000 positions, so an answer without events is the end only when `next` equals `head`.
            subject: Only events of this memory or key, by its id, or of this association, by its `source|TYPE|target`.
            limit: Default 100, clamped to 1..1000; large events make an answer shorter.
            wait: Seconds to wait for an event when there is none yet; default 0, clamped to 0..30.
        """
        return cast(
            "ListEventsReply",
            await self._call(
                "GET",
                "/events",
                query={"after": after, "type": type, "subject": subject, "limit": limit, "wait": wait},
            ),
        )

    async def list_history(
        self,
        id: str,
        *,
        after: Union[int, None] = None,
        limit: Union[int, None] = None,
    ) -> ListHistoryReply:
        """Every version of a memory, even of a deleted one.
        Every version of a memory with the event that made it, oldest first.

        Args:
            id: The id of a memory, in any spelling of a UUID.
            after: Only versions after this one: `next` of the previous answer. Default 0, the beginning.
            limit: Default 50, clamped to 1..200; large versions make an answer shorter.
        """
        return cast(
            "ListHistoryReply",
            await self._call(
                "GET",
                "/memory/{id}/history",
                path_values={"id": id},
                query={"after": after, "limit": limit},
            ),
        )

    async def stream_status(
        self,
    ) -> StreamStatusReply:
        """Number of clients of the live stream at this instance.
        How many clients watch the live stream of this instance.
        """
        return cast(
            "StreamStatusReply",
            await self._call(
                "GET",
                "/stream/status",
            ),
        )

    async def list_dead_letters(
        self,
        *,
        projector: Union[str, None] = None,
        after: Union[int, None] = None,
        limit: Union[int, None] = None,
    ) -> ListDeadLettersReply:
        """Events that a projector could not project, page by page.
        Lists events that failed permanently, oldest first.

        Args:
            projector: Only dead letters of this projector.
            after: Only dead letters after this id: `next` of the previous page.
            limit: Page size; default 100, clamped to 1..500.
        """
        return cast(
            "ListDeadLettersReply",
            await self._call(
                "GET",
                "/admin/dead-letters",
                query={"projector": projector, "after": after, "limit": limit},
            ),
        )

    async def redrive_dead_letters(
        self,
        body: RedriveDeadLettersBody,
    ) -> RedriveDeadLettersReply:
        """Try dead letters again.
        Lets the projector try these events again, chosen by id or by projector.
        """
        return cast(
            "RedriveDeadLettersReply",
            await self._call(
                "POST",
                "/admin/dead-letters/redrive",
                body=body,
            ),
        )

    async def discard_dead_letters(
        self,
        body: DiscardDeadLettersBody,
    ) -> DiscardDeadLettersReply:
        """Discard dead letters.
        Removes dead letters, chosen by id or by projector; their events stay in the journal.
        """
        return cast(
            "DiscardDeadLettersReply",
            await self._call(
                "POST",
                "/admin/dead-letters/discard",
                body=body,
            ),
        )

    async def list_projectors(
        self,
    ) -> ListProjectorsReply:
        """State of each projector and of its instances.
        Position, lag, counters and instances of each projector.
        """
        return cast(
            "ListProjectorsReply",
            await self._call(
                "GET",
                "/admin/projectors",
            ),
        )

    async def read_activity(
        self,
    ) -> ReadActivityReply:
        """Recalls, stores and changes of the last hour, and the lag of projectors.
        The last hour in steps of ten seconds. Recalls are those that the answering process keeps in memory since its start; stores and changes are counted in the journal, so they are those of the whole service.
        """
        return cast(
            "ReadActivityReply",
            await self._call(
                "GET",
                "/activity",
            ),
        )

    async def pause_projector(
        self,
        name: Literal["vector-indexer", "enricher"],
    ) -> PauseProjectorReply:
        """Pause a projector, in all its instances.
        Stops a projector after its present batch, until it is resumed.

        Args:
            name: The name of a projector.
        """
        return cast(
            "PauseProjectorReply",
            await self._call(
                "POST",
                "/admin/projectors/{name}/pause",
                path_values={"name": name},
            ),
        )

    async def resume_projector(
        self,
        name: Literal["vector-indexer", "enricher"],
    ) -> ResumeProjectorReply:
        """Resume a projector.
        Lets a paused projector go on.

        Args:
            name: The name of a projector.
        """
        return cast(
            "ResumeProjectorReply",
            await self._call(
                "POST",
                "/admin/projectors/{name}/resume",
                path_values={"name": name},
            ),
        )

    async def list_jobs(
        self,
    ) -> ListJobsReply:
        """Jobs of maintenance: the unfinished one, and the last ones that ended.
        The jobs of long maintenance, the newest first. At most one of them is unfinished.
        """
        return cast(
            "ListJobsReply",
            await self._call(
                "GET",
                "/admin/jobs",
            ),
        )

    async def get_job(
        self,
        job: str,
    ) -> GetJobReply:
        """State and progress of one job.
        One job with its progress, and with its error if it failed.

        Args:
            job: The id of a job.
        """
        return cast(
            "GetJobReply",
            await self._call(
                "GET",
                "/admin/jobs/{job}",
                path_values={"job": job},
            ),
        )

    async def rebuild_graph(
        self,
    ) -> RebuildGraphReply:
        """Bring the graph to the state of the journal, as a job.
        Applies the state of the journal to the graph again, as a job. What the graph lost returns; what it has stays as it is.
        """
        return cast(
            "RebuildGraphReply",
            await self._call(
                "POST",
                "/admin/projections/graph/rebuild",
            ),
        )

    async def sync_index(
        self,
        **body: Unpack[SyncIndexBody],
    ) -> SyncIndexReply:
        """Compare the vector index with the graph, and repair it.
        Finds memories without a point, points without a memory and points that differ from their memory, has the vector indexer repair them, and waits for it. One at a time: a second request is answered 409.
        """
        return cast(
            "SyncIndexReply",
            await self._call(
                "POST",
                "/admin/sync",
                body=body,
            ),
        )

    async def reembed(
        self,
        body: Union[ReembedBody, None] = None,
    ) -> Union[ReembedReply, ReembedReply202]:
        """Embed the contents of memories again.
        Embeds the contents of memories again, the newest first, and replaces their vectors. It runs as a job: the answer is 200 with the counts if the job ends soon, otherwise 202 with the job.
        """
        return cast(
            "Union[ReembedReply, ReembedReply202]",
            await self._call(
                "POST",
                "/admin/reembed",
                body=body,
            ),
        )

    async def rebuild_vectors(
        self,
        **body: Unpack[RebuildVectorsBody],
    ) -> RebuildVectorsReply:
        """Make the vector index again, optionally with another model.
        Starts a job that makes a second vector index, proves that it agrees with the graph, and then switches to it. Recall answers from the old one until then. The embedder is checked first: a wrong provider, model or size starts nothing.
        """
        return cast(
            "RebuildVectorsReply",
            await self._call(
                "POST",
                "/admin/projections/vectors/rebuild",
                body=body,
            ),
        )

    async def rollback_vectors(
        self,
    ) -> RollbackVectorsReply:
        """Return to the vector index before the last rebuild.
        Starts a job that brings the previous vector index up to date and switches back to it. 409 when there is none, or when another job is unfinished.
        """
        return cast(
            "RollbackVectorsReply",
            await self._call(
                "POST",
                "/admin/projections/vectors/rollback",
            ),
        )

    async def import_records(
        self,
        **body: Unpack[ImportRecordsBody],
    ) -> ImportRecordsReply:
        """Import memories and associations with their ids.
        Stores memories and associations of another service with their ids and times; what is there already stays as it is.
        """
        return cast(
            "ImportRecordsReply",
            await self._call(
                "POST",
                "/admin/import",
                body=body,
            ),
        )

    async def create_webhook(
        self,
        **body: Unpack[CreateWebhookBody],
    ) -> CreateWebhookReply:
        """Send events to an address.
        Registers an address that gets the events of the journal by POST, at least once, those of one memory in order. The answer shows the secret of the signatures once.
        """
        return cast(
            "CreateWebhookReply",
            await self._call(
                "POST",
                "/admin/webhooks",
                body=body,
            ),
        )

    async def list_webhooks(
        self,
    ) -> ListWebhooksReply:
        """All webhooks, with how far each one is.
        Lists every webhook with its position, and with its last error while its receiver fails.
        """
        return cast(
            "ListWebhooksReply",
            await self._call(
                "GET",
                "/admin/webhooks",
            ),
        )

    async def get_webhook(
        self,
        webhook: str,
    ) -> GetWebhookReply:
        """One webhook.
        One webhook with its position, and with its last error while its receiver fails.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "GetWebhookReply",
            await self._call(
                "GET",
                "/admin/webhooks/{webhook}",
                path_values={"webhook": webhook},
            ),
        )

    async def update_webhook(
        self,
        webhook: str,
        **body: Unpack[UpdateWebhookBody],
    ) -> UpdateWebhookReply:
        """Change, enable or disable a webhook.
        Changes what is named. A new choice of types or tags holds for events that are not yet sent.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "UpdateWebhookReply",
            await self._call(
                "PATCH",
                "/admin/webhooks/{webhook}",
                path_values={"webhook": webhook},
                body=body,
            ),
        )

    async def delete_webhook(
        self,
        webhook: str,
    ) -> DeleteWebhookReply:
        """Delete a webhook and its log.
        Deletes a webhook with its log. A delivery that has begun may still reach the receiver.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "DeleteWebhookReply",
            await self._call(
                "DELETE",
                "/admin/webhooks/{webhook}",
                path_values={"webhook": webhook},
            ),
        )

    async def rotate_webhook_secret(
        self,
        webhook: str,
        **body: Unpack[RotateWebhookSecretBody],
    ) -> RotateWebhookSecretReply:
        """Replace the secret of a webhook.
        Makes a new secret and shows it once. Until the end of the overlap each event carries two signatures, of the new and of the previous secret.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "RotateWebhookSecretReply",
            await self._call(
                "POST",
                "/admin/webhooks/{webhook}/rotate-secret",
                path_values={"webhook": webhook},
                body=body,
            ),
        )

    async def replay_webhook(
        self,
        webhook: str,
        **body: Unpack[ReplayWebhookBody],
    ) -> ReplayWebhookReply:
        """Send events again from a position.
        Sets the webhook back to a position of the journal: it sends every event after it again.

        Args:
            webhook: The id of a webhook.
        """
        return cast(
            "ReplayWebhookReply",
            await self._call(
                "POST",
                "/admin/webhooks/{webhook}/replay",
                path_values={"webhook": webhook},
                body=body,
            ),
        )

    async def list_webhook_deliveries(
        self,
        webhook: str,
        *,
        state: Union[Literal["delivered", "failing"], None] = None,
        before: Union[int, None] = None,
        limit: Union[int, None] = None,
    ) -> ListWebhookDeliveriesReply:
        """What a webhook delivered in the last 7 days, and what fails.
        Lists the deliveries of one webhook by position, newest first.

        Args:
            webhook: The id of a webhook.
            state: Only deliveries in this state.
            before: Only deliveries of events before this position: `next` of the page before.
            limit: Page size; default 100, clamped to 1..500.
        """
        return cast(
            "ListWebhookDeliveriesReply",
            await self._call(
                "GET",
                "/admin/webhooks/{webhook}/deliveries",
                path_values={"webhook": webhook},
                query={"state": state, "before": before, "limit": limit},
            ),
        )

    async def create_key(
        self,
        **body: Unpack[CreateKeyBody],
    ) -> CreateKeyReply:
        """Make a key with scopes of its own.
        Makes a key for an agent or a person. The answer shows it once; the service stores only its hash. Events name the key.
        """
        return cast(
            "CreateKeyReply",
            await self._call(
                "POST",
                "/admin/keys",
                body=body,
            ),
        )

    async def list_keys(
        self,
    ) -> ListKeysReply:
        """All keys, with their scopes and last use.
        Lists every key that was not revoked, without the keys themselves.
        """
        return cast(
            "ListKeysReply",
            await self._call(
                "GET",
                "/admin/keys",
            ),
        )

    async def rotate_key(
        self,
        key_id: str,
        **body: Unpack[RotateKeyBody],
    ) -> RotateKeyReply:
        """Replace a key.
        Makes a new key with the same name, scopes, tag and rate, and shows it once. Until the end of the overlap the key before works as well.

        Args:
            key_id: The id of a key.
        """
        return cast(
            "RotateKeyReply",
            await self._call(
                "POST",
                "/admin/keys/{key_id}/rotate",
                path_values={"key_id": key_id},
                body=body,
            ),
        )

    async def revoke_key(
        self,
        key_id: str,
    ) -> RevokeKeyReply:
        """Revoke a key.
        Deletes a key. Every process refuses it within a second, and ends its streams.

        Args:
            key_id: The id of a key.
        """
        return cast(
            "RevokeKeyReply",
            await self._call(
                "DELETE",
                "/admin/keys/{key_id}",
                path_values={"key_id": key_id},
            ),
        )

    async def create_tenant(
        self,
        **body: Unpack[CreateTenantBody],
    ) -> CreateTenantReply:
        """Make a tenant.
        Makes a closed space of memories with its own journal, graph, vectors, jobs, webhooks and keys. It has no key yet: make its first one with POST /admin/tenants/{tenant_id}/keys.
        """
        return cast(
            "CreateTenantReply",
            await self._call(
                "POST",
                "/admin/tenants",
                body=body,
            ),
        )

    async def list_tenants(
        self,
    ) -> ListTenantsReply:
        """All tenants, with their state and size.
        Lists every tenant but the default one.
        """
        return cast(
            "ListTenantsReply",
            await self._call(
                "GET",
                "/admin/tenants",
            ),
        )

    async def update_tenant(
        self,
        tenant_id: str,
        **body: Unpack[UpdateTenantBody],
    ) -> UpdateTenantReply:
        """Suspend a tenant, end its suspension, or set its limits.
        A suspended tenant keeps its data and its keys. Each request with one of its keys gets 403 with the reason, and its open streams end within a second. Limits hold within a second, too.

        Args:
            tenant_id: The id of a tenant.
        """
        return cast(
            "UpdateTenantReply",
            await self._call(
                "PATCH",
                "/admin/tenants/{tenant_id}",
                path_values={"tenant_id": tenant_id},
                body=body,
            ),
        )

    async def delete_tenant(
        self,
        tenant_id: str,
    ) -> DeleteTenantReply:
        """Delete a tenant with all of its data and keys.
        Refuses its keys within a second, ends its work and removes its data. It goes on after a failure or a crash. The answer names where data can still be.

        Args:
            tenant_id: The id of a tenant.
        """
        return cast(
            "DeleteTenantReply",
            await self._call(
                "DELETE",
                "/admin/tenants/{tenant_id}",
                path_values={"tenant_id": tenant_id},
            ),
        )

    async def create_tenant_key(
        self,
        tenant_id: str,
        **body: Unpack[CreateTenantKeyBody],
    ) -> CreateTenantKeyReply:
        """Make a key of a tenant.
        Makes a key that sees and changes this tenant alone. With the scope admin:keys its holder makes the further keys of the tenant with POST /admin/keys.

        Args:
            tenant_id: The id of a tenant.
        """
        return cast(
            "CreateTenantKeyReply",
            await self._call(
                "POST",
                "/admin/tenants/{tenant_id}/keys",
                path_values={"tenant_id": tenant_id},
                body=body,
            ),
        )

    async def consolidate(
        self,
        **body: Unpack[ConsolidateBody],
    ) -> Union[ConsolidateReply, ConsolidateReply202]:
        """Consolidate the memories: relevance, discoveries, clusters, forgetting.
        Computes the relevance of memories, looks for associations and clusters, and forgets what became irrelevant. A dry run, the default, writes nothing. It runs as a job: the answer is 200 with the result if the job ends soon, otherwise 202 with the job. A second request meanwhile is answered 409.
        """
        return cast(
            "Union[ConsolidateReply, ConsolidateReply202]",
            await self._call(
                "POST",
                "/consolidate",
                body=body,
            ),
        )

    async def consolidation_status(
        self,
    ) -> ConsolidationStatusReply:
        """Next runs and history of consolidation.
        When each task of the schedule runs next, and the last runs that were not dry, with their results.
        """
        return cast(
            "ConsolidationStatusReply",
            await self._call(
                "GET",
                "/consolidate/status",
            ),
        )

    async def restore_memory(
        self,
        id: str,
        *,
        idempotency_key: Union[str, None] = None,
        if_match: Union[str, None] = None,
    ) -> RestoreMemoryReply:
        """Restore an archived memory, and protect it from being archived again.
        Undoes the archiving of a memory. The memory becomes protected, so that consolidation leaves it alone.

        Args:
            id: The id of a memory, in any spelling of a UUID.
        """
        return cast(
            "RestoreMemoryReply",
            await self._call(
                "POST",
                "/admin/memories/{id}/restore",
                path_values={"id": id},
                repeatable=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
            ),
        )

    async def enrichment_status(
        self,
    ) -> EnrichmentStatusReply:
        """State of background enrichment.
        The queue and the counters of background enrichment.
        """
        return cast(
            "EnrichmentStatusReply",
            await self._call(
                "GET",
                "/enrichment/status",
            ),
        )

    async def health(
        self,
    ) -> HealthReply:
        """Health of the databases and of background work.
        Reports each database and the background work. Always 200; `status` is healthy or degraded.
        """
        return cast(
            "HealthReply",
            await self._call(
                "GET",
                "/health",
            ),
        )

    async def index(
        self,
    ) -> IndexReply:
        """Where the description of the API is.
        Names the addresses of this document and of the health report.
        """
        return cast(
            "IndexReply",
            await self._call(
                "GET",
                "/",
            ),
        )

    async def livez(
        self,
    ) -> LivezReply:
        """The process runs.
        For the liveness probe of an orchestrator.
        """
        return cast(
            "LivezReply",
            await self._call(
                "GET",
                "/livez",
            ),
        )

    async def readyz(
        self,
    ) -> ReadyzReply:
        """The process can serve.
        For the readiness probe of an orchestrator: 503 while requests would fail.
        """
        return cast(
            "ReadyzReply",
            await self._call(
                "GET",
                "/readyz",
            ),
        )

    async def openapi(
        self,
    ) -> OpenapiReply:
        """This document.
        The OpenAPI document of the service.
        """
        return cast(
            "OpenapiReply",
            await self._call(
                "GET",
                "/openapi.json",
            ),
        )
