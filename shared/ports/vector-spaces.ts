/**
 * The ports of the vector spaces. A vector space is one index together with the model that made its vectors. One space
 * is active and serves searches. A rebuild fills a building space, and the previous one is kept for a rollback.
 */
import { NotFoundError, RuleError } from '../kernel/errors.js';
import type { Embedder } from './embedder.js';
import type { PointReader, VectorIndexReader, VectorIndexWriter } from './vectors.js';

/** How to open the embedder of a space; replaces the variables of the provider. */
export type EmbeddingTarget = {
  readonly provider: 'bundled' | 'openai' | 'ollama' | 'voyage';
  readonly model?: string;
  readonly vectorSize?: number;
};

/** Opens the embedder of a target. Null: the configured embedder. */
export type OpenTarget = (target: EmbeddingTarget | null) => Promise<Embedder>;

export type SpaceState = 'building' | 'active' | 'previous';

export type VectorSpace = {
  /**
   * From 1. No later space gets the number of a dropped one, so a late write to a dropped index reaches no other index.
   */
  readonly number: number;
  readonly state: SpaceState;
  /** `Embedder.model` of the vectors. */
  readonly model: string;
  readonly dimension: number;
  /** Null: the embedder as configured. */
  readonly target: EmbeddingTarget | null;
  /** The index contains every event up to this position. Not kept up to date for the active space. */
  readonly position: number;
};

/** A running process that follows the active space, and the number of the space that it uses. */
export type SpaceFollower = { readonly instance: string; readonly number: number };

/** A follower without a report for this time counts as stopped. */
export const FOLLOWER_LIVE_MS = 15_000;

/** The spaces of a deployment, next to the journal. Several processes may call every method at the same time. */
export interface VectorSpaces {
  /** All spaces in the order of their numbers. */
  list(): Promise<readonly VectorSpace[]>;
  active(): Promise<VectorSpace | null>;
  /** Creates space 1 as the active one if there is no active space. Returns the active one. */
  begin(first: Pick<VectorSpace, 'model' | 'dimension' | 'target'>): Promise<VectorSpace>;
  /** Creates a building space. Throws RuleError while another one is building. A previous space stays. */
  build(space: Pick<VectorSpace, 'model' | 'dimension' | 'target' | 'position'>): Promise<VectorSpace>;
  /** Moves the position forward. An earlier position, or one of a space that does not exist, changes nothing. */
  advance(number: number, position: number): Promise<void>;
  /**
   * In one transaction: this space becomes active, and the active one becomes previous with `position`. Another
   * previous space is removed and returned, so that the caller drops its index. Repeated for the active space, it
   * changes nothing. Throws NotFoundError for an unknown space.
   */
  activate(number: number, position: number): Promise<{ readonly dropped: VectorSpace | null }>;
  /** Removes a space. Throws RuleError for the active one. An unknown number changes nothing. */
  drop(number: number): Promise<void>;
  /** Records that this instance uses this space. Followers repeat it within FOLLOWER_LIVE_MS. */
  report(instance: string, number: number): Promise<void>;
  /** The instances with a report within FOLLOWER_LIVE_MS, by the clock of the database. */
  followers(): Promise<readonly SpaceFollower[]>;
}

/** Writes and reads of an index without search, for a space that is being built. */
export type SpaceStore = VectorIndexWriter & PointReader & Pick<VectorIndexReader, 'versions' | 'count'>;

/** The stored indexes of the spaces. Each method throws DependencyError('vectors') when the engine fails. */
export interface VectorIndexes {
  /** Creates the index if it is absent. A write to an index that was dropped meanwhile fails, and creates nothing. */
  openStore(space: Pick<VectorSpace, 'number' | 'dimension'>): Promise<SpaceStore>;
  /** Deletes the points and the mark. A missing index changes nothing. */
  drop(number: number): Promise<void>;
  /** Names the active index for other programs. No effect where an index has no other reader. */
  publish(number: number): Promise<void>;
}

/** Models of former releases, which no process can load any more. An index with their vectors is rebuilt. */
const RETIRED_MODELS: ReadonlySet<string> = new Set(['bundled/use-lite-en/512/w1']);

export function isRetiredModel(model: string): boolean {
  return RETIRED_MODELS.has(model);
}

/** The refusals of the stores of the vector spaces. */
export function otherSpaceError(): RuleError {
  return new RuleError('Another vector index is being built: wait for the end of its job');
}

export function activeSpaceError(number: number): RuleError {
  return new RuleError(`Vector space ${number} is active: activate another one before you drop it`);
}

export function unknownSpaceError(number: number): NotFoundError {
  return new NotFoundError(`There is no vector space ${number}: start the job again`);
}
