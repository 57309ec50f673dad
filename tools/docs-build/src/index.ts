export { documents, type GeneratedDocument } from './documents.js';
