import { staffEndpoint } from '#contract/endpoint.ts';

export const getReport = staffEndpoint('GET', '/api/staff/reports/{report}', 'read_reports');
export const exportReport = staffEndpoint('GET', '/api/staff/reports/{report}/export', 'export_reports');
export const listMonths = staffEndpoint('GET', '/api/staff/months', 'read_reports');
export const closeMonth = staffEndpoint('POST', '/api/staff/months/{month}/close', 'close_months');
export const exportDatev = staffEndpoint('GET', '/api/staff/months/{month}/datev', 'export_reports');
export const getPayout = staffEndpoint('GET', '/api/staff/payouts/{payout}', 'read_reports');
export const settlePayout = staffEndpoint('POST', '/api/staff/payouts/{payout}/settle', 'settle_payouts');
export const exportPayout = staffEndpoint('GET', '/api/staff/payouts/{payout}/export', 'export_reports');
