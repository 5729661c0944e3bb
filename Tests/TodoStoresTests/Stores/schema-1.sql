PRAGMA foreign_keys=OFF;
PRAGMA application_id = 1953457263;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE todo (
  number INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  priority INTEGER NOT NULL,
  completedAt INTEGER,
  deleted INTEGER NOT NULL,
  due TEXT,
  tags TEXT NOT NULL,
  project TEXT,
  revision INTEGER NOT NULL,
  folded TEXT NOT NULL
) STRICT;
INSERT INTO todo VALUES(1,'e39569e7-0353-4fe4-9ea8-05c8c048602e',1795477739925,'Don''t forget the café ☕️ 👩‍👩‍👧, the "quoted" C:\path',replace('First line\012\012third "line", it''s \n no newline\012	and a tab','\012',char(10)),1,NULL,0,'2026-12-01','["home","say \"hi\"","it''s","café","café","back\\slash"]','Kitchen''s "new" plén',1,replace('don''t forget the café ☕️ 👩‍👩‍👧, the "quoted" c:\path\012first line\012\012third "line", it''s \n no newline\012	and a tab','\012',char(10)));
INSERT INTO todo VALUES(2,'70e7a45f-5116-4ac7-b3c1-39a2c916d320',1795477739944,'Call the plumber','',0,NULL,0,'2026-12-01T09:30','["home","both"]','Kitchen',21,replace('call the plumber\n','\n',char(10)));
INSERT INTO todo VALUES(3,'fad7659e-0f34-406d-ac54-916c032f067f',1795477739958,'Buy milk','',0,1795477739971,0,NULL,'["shop","home"]',NULL,4,replace('buy milk\n','\n',char(10)));
INSERT INTO todo VALUES(4,'4654ed15-a7c4-4b4d-b241-e8b44e3e33c2',1795477739985,'Pay the rent','',1,1795477740242,0,'2026-11-30T23:59','["both"]',NULL,24,replace('pay the rent\n','\n',char(10)));
INSERT INTO todo VALUES(5,'fc99fa76-74f2-49b2-a8d7-0142fe136687',1795477740028,'Plan the trip to Orléans',replace(replace('Trains\r\nHotel\n','\r',char(13)),'\n',char(10)),0,NULL,0,'2028-02-29T00:00','["train","fun","script"]',NULL,34,replace(replace('plan the trip to orléans\ntrains\r\nhotel\n','\r',char(13)),'\n',char(10)));
INSERT INTO todo VALUES(6,'de117094-0a92-4708-b7a8-57f2d6e5d144',1795477740135,'Learn the tuba','',0,NULL,1,'9999-12-31T23:59','["music"]','Noise',16,replace('learn the tuba\n','\n',char(10)));
INSERT INTO todo VALUES(7,'ce1925c7-56fa-4995-8eb7-a0f0d3839694',1795477740166,'Write to Zoë','',0,NULL,0,NULL,'["post"]',NULL,19,replace('write to zoë\n','\n',char(10)));
INSERT INTO todo VALUES(8,'a69d2a78-4185-40cf-aa73-71a673915534',1795477740211,'Straße nach İstanbul, ΣΊΣΥΦΟΣ, ﬁn ✓',replace('\n日本語\n','\n',char(10)),0,NULL,0,'0001-01-01','["ÄÖÜ","äöü","both"]',NULL,26,replace('straße nach i̇stanbul, σίσυφοσ, ﬁn ✓\n\n日本語\n','\n',char(10)));
INSERT INTO todo VALUES(9,'d24be10c-9568-44bb-98ae-a71fb527bbe5',1795477740275,'Paint the fence',replace('White\nor "blue"','\n',char(10)),0,1795477740276,0,'2027-05-01','["garden","paint"]',NULL,29,replace('paint the fence\nwhite\nor "blue"','\n',char(10)));
INSERT INTO todo VALUES(10,'40371884-b652-4e37-b244-2387a3abea94',1795477740276,'Oil the door','',0,NULL,0,'2027-01-01','[]','House',37,replace('oil the door\n','\n',char(10)));
INSERT INTO todo VALUES(11,'9933fc98-db8d-4c53-b018-379db06a57cb',1795477740277,'Sweep the yard','',1,NULL,0,NULL,'[]',NULL,32,replace('sweep the yard\n','\n',char(10)));
INSERT INTO todo VALUES(12,'60720b88-7489-46e2-8585-e5e6b97103e6',1795477740277,'A mistake','',0,NULL,1,NULL,'["garden"]',NULL,36,replace('a mistake\n','\n',char(10)));
INSERT INTO todo VALUES(13,'9803f1b4-6192-4e7c-990e-f896c6370e37',1795477740291,'Mend the old bike','',1,NULL,0,NULL,'["bike"]','House',41,replace('mend the old bike\n','\n',char(10)));
INSERT INTO todo VALUES(14,'38fb2255-edee-406f-9706-e49b6f9da10a',1795477740308,'Cancel the paper','',0,1795477740323,1,NULL,'[]','House',44,replace('cancel the paper\n','\n',char(10)));
CREATE TABLE tag (
  name TEXT NOT NULL,
  todo INTEGER NOT NULL REFERENCES todo (number),
  PRIMARY KEY (name, todo)
) STRICT, WITHOUT ROWID;
INSERT INTO tag VALUES('back\slash',1);
INSERT INTO tag VALUES('bike',13);
INSERT INTO tag VALUES('both',2);
INSERT INTO tag VALUES('both',4);
INSERT INTO tag VALUES('both',8);
INSERT INTO tag VALUES('café',1);
INSERT INTO tag VALUES('café',1);
INSERT INTO tag VALUES('fun',5);
INSERT INTO tag VALUES('garden',9);
INSERT INTO tag VALUES('garden',12);
INSERT INTO tag VALUES('home',1);
INSERT INTO tag VALUES('home',2);
INSERT INTO tag VALUES('home',3);
INSERT INTO tag VALUES('it''s',1);
INSERT INTO tag VALUES('music',6);
INSERT INTO tag VALUES('paint',9);
INSERT INTO tag VALUES('post',7);
INSERT INTO tag VALUES('say "hi"',1);
INSERT INTO tag VALUES('script',5);
INSERT INTO tag VALUES('shop',3);
INSERT INTO tag VALUES('train',5);
INSERT INTO tag VALUES('ÄÖÜ',8);
INSERT INTO tag VALUES('äöü',8);
CREATE TABLE change (
  revision INTEGER PRIMARY KEY,
  todo INTEGER NOT NULL REFERENCES todo (number),
  before TEXT,
  after TEXT NOT NULL,
  session INTEGER NOT NULL,
  root INTEGER NOT NULL,
  origin TEXT NOT NULL,
  at INTEGER NOT NULL,
  undoesSession INTEGER,
  undoesRoot INTEGER
) STRICT;
INSERT INTO change VALUES(1,1,NULL,'{"title":"Don''t forget the café ☕️ 👩‍👩‍👧, the \"quoted\" C:\\path","subtitle":"First line\n\nthird \"line\", it''s \\n no newline\n\tand a tab","priority":"high","due":"2026-12-01","tags":["home","say \"hi\"","it''s","café","café","back\\slash"],"project":"Kitchen''s \"new\" plén"}',-6659482076425802500,1,'cli',1795477739926,NULL,NULL);
INSERT INTO change VALUES(2,2,NULL,'{"title":"Call the plumber","due":"2026-12-01T09:30","tags":["home"],"project":"Kitchen"}',-2939823844793234438,1,'cli',1795477739944,NULL,NULL);
INSERT INTO change VALUES(3,3,NULL,'{"title":"Buy milk","tags":["shop","home"]}',7093372748640810170,1,'cli',1795477739958,NULL,NULL);
INSERT INTO change VALUES(4,3,'{"completedAt":null}','{"completedAt":1795477739971}',243617140590506283,1,'cli',1795477739971,NULL,NULL);
INSERT INTO change VALUES(5,4,NULL,'{"title":"Pay the rent","priority":"high","due":"2026-11-30T23:59"}',643671914541070264,1,'cli',1795477739985,NULL,NULL);
INSERT INTO change VALUES(6,4,'{"completedAt":null}','{"completedAt":1795477739999}',-4085037855160530961,1,'cli',1795477739999,NULL,NULL);
INSERT INTO change VALUES(7,4,'{"completedAt":1795477739999}','{"completedAt":null}',1273003135260992145,1,'cli',1795477740014,NULL,NULL);
INSERT INTO change VALUES(8,5,NULL,'{"title":"Plan the trip","subtitle":"Trains","priority":"high","due":"2027-02-28","tags":["trip","fun"],"project":"Spring"}',-1300243793842702326,1,'cli',1795477740029,NULL,NULL);
INSERT INTO change VALUES(9,5,'{"title":"Plan the trip","tags":["trip","fun"]}','{"title":"Plan the trip to Orléans","tags":["trip","train"]}',-1730345605067342824,1,'cli',1795477740043,NULL,NULL);
INSERT INTO change VALUES(10,5,'{"due":"2027-02-28","project":"Spring"}','{"due":null,"project":null}',4590609963451452167,1,'cli',1795477740057,NULL,NULL);
INSERT INTO change VALUES(11,5,'{"subtitle":"Trains","tags":["trip","train"]}','{"subtitle":"Trains\r\nHotel\n","tags":["train","fun"]}',8092601903493760296,1,'cli',1795477740074,NULL,NULL);
INSERT INTO change VALUES(12,5,'{"title":"Plan the trip to Orléans","priority":"high"}','{"title":"Plan the trip","priority":"normal"}',6347126823451179441,1,'cli',1795477740089,NULL,NULL);
INSERT INTO change VALUES(13,5,'{"title":"Plan the trip"}','{"title":"Plan the trip to Orléans"}',9116370046669798024,1,'cli',1795477740104,NULL,NULL);
INSERT INTO change VALUES(14,5,'{"title":"Plan the trip to Orléans","due":null}','{"title":"Plan the trip to Orléans","due":"2028-02-29T00:00"}',-1225063464873883718,1,'cli',1795477740119,NULL,NULL);
INSERT INTO change VALUES(15,6,NULL,'{"title":"Learn the tuba","due":"9999-12-31T23:59","tags":["music"],"project":"Noise"}',-3063923791762787174,1,'cli',1795477740135,NULL,NULL);
INSERT INTO change VALUES(16,6,'{"deleted":false}','{"deleted":true}',-4926993209421206469,1,'cli',1795477740150,NULL,NULL);
INSERT INTO change VALUES(17,7,NULL,'{"title":"Write to Zoë","tags":["post"]}',6627185792932598260,1,'cli',1795477740166,NULL,NULL);
INSERT INTO change VALUES(18,7,'{"deleted":false}','{"deleted":true}',-406557618804910798,1,'cli',1795477740180,NULL,NULL);
INSERT INTO change VALUES(19,7,'{"deleted":true}','{"deleted":false}',-1280937799549121400,1,'cli',1795477740196,NULL,NULL);
INSERT INTO change VALUES(20,8,NULL,'{"title":"Straße nach İstanbul, ΣΊΣΥΦΟΣ, ﬁn ✓","subtitle":"\n日本語\n","due":"0001-01-01","tags":["ÄÖÜ","äöü"]}',-8159107329209826549,1,'cli',1795477740211,NULL,NULL);
INSERT INTO change VALUES(21,2,'{"tags":["home"]}','{"tags":["home","both"]}',-6660765975705265230,1,'cli',1795477740226,NULL,NULL);
INSERT INTO change VALUES(22,4,'{"tags":[]}','{"tags":["both"]}',-6660765975705265230,1,'cli',1795477740226,NULL,NULL);
INSERT INTO change VALUES(23,8,'{"tags":["ÄÖÜ","äöü"]}','{"tags":["ÄÖÜ","äöü","both"]}',-6660765975705265230,1,'cli',1795477740226,NULL,NULL);
INSERT INTO change VALUES(24,4,'{"completedAt":null}','{"completedAt":1795477740242}',3934964864436405638,1,'cli',1795477740242,NULL,NULL);
INSERT INTO change VALUES(25,8,'{"completedAt":null}','{"completedAt":1795477740242}',3934964864436405638,1,'cli',1795477740242,NULL,NULL);
INSERT INTO change VALUES(26,8,'{"completedAt":1795477740242}','{"completedAt":null}',4856142241220413837,1,'cli',1795477740258,NULL,NULL);
INSERT INTO change VALUES(27,9,NULL,'{"title":"Paint the fence","due":"2027-05-01","tags":["garden"]}',-8821823960228058223,1,'batch',1795477740275,NULL,NULL);
INSERT INTO change VALUES(28,9,'{"subtitle":"","tags":["garden"]}','{"subtitle":"White\nor \"blue\"","tags":["garden","paint"]}',-8821823960228058223,1,'batch',1795477740276,NULL,NULL);
INSERT INTO change VALUES(29,9,'{"completedAt":null}','{"completedAt":1795477740276}',-8821823960228058223,1,'batch',1795477740276,NULL,NULL);
INSERT INTO change VALUES(30,10,NULL,'{"title":"Oil the door","project":"House"}',-8821823960228058223,1,'batch',1795477740276,NULL,NULL);
INSERT INTO change VALUES(31,11,NULL,'{"title":"Sweep"}',-8821823960228058223,1,'batch',1795477740277,NULL,NULL);
INSERT INTO change VALUES(32,11,'{"title":"Sweep","priority":"normal"}','{"title":"Sweep the yard","priority":"high"}',-8821823960228058223,1,'batch',1795477740277,NULL,NULL);
INSERT INTO change VALUES(33,5,'{"title":"Plan the trip to Orléans","tags":["train","fun"]}','{"title":"Nothing","tags":["train","fun","script"]}',-8821823960228058223,1,'batch',1795477740277,NULL,NULL);
INSERT INTO change VALUES(34,5,'{"title":"Nothing"}','{"title":"Plan the trip to Orléans"}',-8821823960228058223,1,'batch',1795477740277,NULL,NULL);
INSERT INTO change VALUES(35,12,NULL,'{"title":"A mistake","tags":["garden"]}',-8821823960228058223,1,'batch',1795477740277,NULL,NULL);
INSERT INTO change VALUES(36,12,'{"deleted":false}','{"deleted":true}',-8821823960228058223,1,'batch',1795477740277,NULL,NULL);
INSERT INTO change VALUES(37,10,'{"due":null}','{"due":"2027-01-01"}',-8821823960228058223,1,'batch',1795477740278,NULL,NULL);
INSERT INTO change VALUES(38,13,NULL,'{"title":"Mend the bike","tags":["bike"]}',201399728675440624,2,'batch',1795477740291,NULL,NULL);
INSERT INTO change VALUES(39,13,'{"priority":"normal"}','{"priority":"high"}',201399728675440624,7,'batch',1795477740294,NULL,NULL);
INSERT INTO change VALUES(40,13,'{"project":null}','{"project":"House"}',201399728675440624,12,'batch',1795477740295,NULL,NULL);
INSERT INTO change VALUES(41,13,'{"title":"Mend the bike"}','{"title":"Mend the old bike"}',201399728675440624,17,'batch',1795477740296,NULL,NULL);
INSERT INTO change VALUES(42,14,NULL,'{"title":"Cancel the paper","project":"House"}',-1148206627901816508,1,'cli',1795477740308,NULL,NULL);
INSERT INTO change VALUES(43,14,'{"completedAt":null}','{"completedAt":1795477740323}',3012992797840446330,1,'cli',1795477740323,NULL,NULL);
INSERT INTO change VALUES(44,14,'{"deleted":false}','{"deleted":true}',7888584879874324840,1,'cli',1795477740339,NULL,NULL);
CREATE INDEX todoByCreation ON todo (deleted, createdAt DESC, number DESC);
CREATE INDEX todoByDue ON todo (due, number DESC) WHERE due IS NOT NULL;
CREATE INDEX todoByProject ON todo (project) WHERE project IS NOT NULL;
CREATE INDEX changeByTodo ON change (todo, revision);
CREATE INDEX changeByRoot ON change (session, root);
COMMIT;
