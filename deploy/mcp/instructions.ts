/** The instructions for models about the bridge as a whole. At most 2,048 bytes: clients cut longer ones. */
export const INSTRUCTIONS = `Palimpsest is your long-term memory: what you store here outlives this conversation, and other agents of the same user read it too.

recall_memory: before you answer or begin something, look for what is known - decisions, preferences, earlier fixes, the state of a project. Ask in plain words (query), narrow with tags or time_query ("last 7 days"), follow associations with expand_relations. Tags are a hard filter: recall once more without them when too little is found. With memory_id you get one memory whole.

store_memory: when something will matter later - a decision and its reason, a preference, a correction, a pattern, how a problem was solved. One fact a memory, in 150 to 300 characters that can be understood alone (2,000 at most), with tags for project and topic, a type, and importance: 0.9 for decisions, 0.7 for what is useful often, 0.5 otherwise. Never store passwords, keys or tokens. Several at once: memories.
When a fact has changed, do not delete the old one: store the new with supersedes_memory_id, and recall shows the new in its place.

associate_memories: link what belongs together - LEADS_TO (cause to effect), PREFERS_OVER, CONTRADICTS, EVOLVED_INTO, PART_OF - so that one leads to the other in later recalls.

update_memory corrects a memory in place; fields you leave out stay, tags and metadata you give replace the old ones. delete_memory removes permanently: one by memory_id, or all that have any of the tags. check_database_health says whether the service works when other tools fail.

An answer marked as an error says what to do next: correct the arguments it names, wait and repeat, or report to the user what is wrong with the service.`;
