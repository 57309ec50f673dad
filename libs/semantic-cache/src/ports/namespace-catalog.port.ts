/** What a sweep saw of one namespace. */
export interface NamespaceSighting {
  readonly name: string;
  /** Requests and offers since the namespace began; it was used when this has changed since the last sighting. */
  readonly activity: number;
  /** Live entries. */
  readonly entries: number;
}

/** The register of namespaces with first and last use, kept by the sweep. Failure costs only the register. */
export interface NamespaceCatalog {
  observe(sightings: readonly NamespaceSighting[], nowMs: number): Promise<void>;
}
