import { staffEndpoint } from '#contract/endpoint.ts';

export const listAuditEntries = staffEndpoint('GET', '/api/staff/audit', 'read_audit_log');
export const exportAuditLog = staffEndpoint('GET', '/api/staff/audit/export', 'read_audit_log');
