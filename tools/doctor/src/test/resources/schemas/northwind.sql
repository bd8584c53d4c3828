-- Modelled on Northwind, the sample database of a trader, on SQLite. Rebuilt, not copied.
CREATE TABLE Categories (CategoryID INTEGER PRIMARY KEY AUTOINCREMENT, CategoryName TEXT NOT NULL);
CREATE TABLE Suppliers (SupplierID INTEGER PRIMARY KEY AUTOINCREMENT, CompanyName TEXT NOT NULL);
CREATE TABLE Products (
  ProductID INTEGER PRIMARY KEY AUTOINCREMENT, ProductName TEXT NOT NULL, SupplierID INTEGER REFERENCES Suppliers,
  CategoryID INTEGER REFERENCES Categories, UnitPrice NUMERIC DEFAULT 0);
CREATE TABLE Customers (CustomerID TEXT PRIMARY KEY NOT NULL, CompanyName TEXT NOT NULL);
CREATE TABLE Employees (EmployeeID INTEGER PRIMARY KEY AUTOINCREMENT, LastName TEXT NOT NULL, ReportsTo INTEGER REFERENCES Employees);
CREATE TABLE Shippers (ShipperID INTEGER PRIMARY KEY AUTOINCREMENT, CompanyName TEXT NOT NULL);
CREATE TABLE Orders (
  OrderID INTEGER PRIMARY KEY AUTOINCREMENT, CustomerID TEXT REFERENCES Customers, EmployeeID INTEGER REFERENCES Employees, OrderDate TEXT);
CREATE TABLE "Order Details" (
  OrderID INTEGER NOT NULL REFERENCES Orders, ProductID INTEGER NOT NULL REFERENCES Products, Quantity INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (OrderID, ProductID)) WITHOUT ROWID;
CREATE TABLE Regions (RegionID INTEGER PRIMARY KEY, RegionDescription TEXT NOT NULL);
CREATE TABLE Territories (TerritoryID TEXT NOT NULL PRIMARY KEY, RegionID INTEGER NOT NULL REFERENCES Regions);
CREATE TABLE EmployeeTerritories (EmployeeID INTEGER NOT NULL, TerritoryID TEXT NOT NULL, PRIMARY KEY (EmployeeID, TerritoryID));
CREATE VIEW Invoices AS SELECT o.OrderID, d.ProductID FROM Orders o JOIN "Order Details" d ON d.OrderID = o.OrderID;

INSERT INTO Categories (CategoryName) VALUES ('Beverages'), ('Condiments'), ('Seafood');
INSERT INTO Suppliers (CompanyName) VALUES ('one'), ('two'), ('three');
INSERT INTO Products (ProductName, SupplierID, CategoryID) VALUES ('Chai', 1, 1), ('Chang', 2, 1), ('Syrup', 3, 2);
INSERT INTO Customers VALUES ('ALFKI', 'Alfreds'), ('ANATR', 'Ana');
INSERT INTO Employees (LastName) VALUES ('Davolio'), ('Fuller'), ('Leverling');
INSERT INTO Shippers (CompanyName) VALUES ('Speedy'), ('United');
INSERT INTO Orders VALUES (10248, 'ALFKI', 1, '1996-07-04');
INSERT INTO Orders (CustomerID, EmployeeID) VALUES ('ALFKI', 1), ('ANATR', 2), ('ANATR', 3);
INSERT INTO "Order Details" VALUES (10248, 1, 12), (10248, 2, 10), (10249, 3, 5);
INSERT INTO Regions VALUES (1, 'Eastern'), (2, 'Western');
INSERT INTO Territories VALUES ('01581', 1), ('95054', 2);
INSERT INTO EmployeeTerritories VALUES (1, '01581'), (2, '95054');
