import { staffEndpoint } from '#contract/endpoint.ts';

export const getStaffSettings = staffEndpoint('GET', '/api/staff/settings', 'change_settings');
export const previewSettings = staffEndpoint('POST', '/api/staff/settings/preview', 'change_settings');
export const showSettingsPreview = staffEndpoint(
  'GET',
  '/api/staff/settings/preview/{page}',
  'change_settings',
);
export const publishSettings = staffEndpoint('PUT', '/api/staff/settings', 'change_settings');
export const listSettingsVersions = staffEndpoint('GET', '/api/staff/settings/versions', 'change_settings');
export const getSettingsVersion = staffEndpoint(
  'GET',
  '/api/staff/settings/versions/{id}',
  'change_settings',
);
