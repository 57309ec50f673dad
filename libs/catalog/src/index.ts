export type { CatalogAddress, CatalogError } from './catalog-connection.js';
export type { CatalogRepository, Criteria, Page, RecordPage } from './catalog-repository.js';
export { createCatalog, type Catalog, type CatalogOptions, type ConfiguredRecords } from './create-catalog.js';
export { tenantOf, type NamespaceRecord, type PriceRecord, type TenantRecord } from './records.js';
