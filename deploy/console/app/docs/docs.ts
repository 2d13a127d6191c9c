/**
 * The API as a page: Swagger UI with the OpenAPI document of the service that serves the page. A token that the reader
 * enters stays in the memory of the tab.
 */
// @ts-expect-error The package has no types.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

SwaggerUI({
  url: '../openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  // The default sends the address of the document to a validator on another host.
  validatorUrl: null,
});
